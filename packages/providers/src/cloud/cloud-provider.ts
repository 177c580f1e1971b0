import type { RecordBatch, RejectionReport, SampleRecord } from '@healthd/model';
import type { DeliveryAdapter } from './delivery.js';
import type { ExportAdapter } from './export.js';
import type { ProviderConfiguration } from './provider-configuration.js';
import type { SubscriberAdapter } from './subscribers.js';
import type { TimeRange } from './time-range.js';
import type { ErrorReader, VendorAddresses, VendorApi, VendorRequest } from './vendor-api.js';
import type { VendorWorkouts } from './vendor-workouts.js';
import type { WebhookAdapter } from './webhook.js';

/** Requested resolution of a pull. */
const GRANULARITIES = ['raw', 'hourly', 'daily'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** A setting that only this provider has. Its environment variable is the provider's prefix and `name`. */
export interface ProviderSetting {
  /** Without the prefix, e.g. `USE_RECONCILE`. */
  name: string;
  /** `digits`: an identifier made of digits, stored as text. */
  kind: 'boolean' | 'digits' | 'text' | 'file';
  /** Allowed values. */
  choices?: readonly string[];
  default?: string;
  help: string;
  secret?: true;
}

/** A vendor's consent flow, and the request for the account's identity. */
export interface OAuthDefinition {
  /** Space-separated scopes to request unless the operator overrides them. */
  defaultScope: string;
  /** True to send S256 challenges. */
  pkce: boolean;
  /** Location of the client id and secret in token requests. */
  clientAuthentication: 'body' | 'basic';
  /** Additional parameters of the consent page's URL. */
  authorizeParameters: Readonly<Record<string, string>>;
  /** Lifetime of an access token in seconds, if the vendor does not report the lifetime. */
  accessTokenSeconds: number;
  /**
   * Source of the granted scopes: the token response, or `identify` alone if the scope in the token response has a
   * different meaning. Default `tokens`.
   */
  grantedBy?: 'tokens' | 'identity';
  /** True if the account must be known before the connection is used, because data is matched by account. */
  needsIdentity?: true;
  /** Scope to send with every renewal, if the vendor otherwise returns no refresh token. */
  refreshScope?: string;
  /** Separator of scopes in the consent page's URL; a space by default. */
  scopeSeparator?: ',';
  /** Maps a granted scope to its name in `PullDataType.scopes`, if the vendor spells it differently. */
  scopeName?(granted: string): string;
  /** Members that the revocation endpoint requires in addition to the token. */
  revocation?: { clientAuthentication?: 'basic'; tokenTypeHint: true };
  /**
   * Ends the consent with the user's access token if the vendor has no revocation endpoint. A function if the URL
   * contains the account (`VendorIdentity.userId`) or the client.
   */
  endConsent?: VendorRequest | ((account: string, configuration: ProviderConfiguration) => VendorRequest);
  /**
   * Request that shows whether the vendor still accepts the account's token (`VendorIdentity.userId`), for vendors
   * without refresh tokens. A single data type may reject a token that is valid for the others.
   */
  probe?(account: string): VendorRequest;
  /**
   * Requests the account's identity from the vendor.
   * @param consent the new consent; undefined for a stored connection
   * @throws VendorError
   */
  identify(api: VendorApi, consent?: NewConsent): Promise<VendorIdentity>;
}

/** A consent that is not stored yet. */
export interface NewConsent {
  /** Our id of the user who consented. */
  userId: string;
  /** All members of the token response, secrets included. */
  members: Readonly<Record<string, unknown>>;
}

export interface VendorIdentity {
  /** The vendor's stable id of the account, as in notifications. */
  userId: string;
  /** Name of the account, for display. */
  username?: string;
  /** Granted scopes, space-separated, if the vendor reports them here; undefined if they could not be requested. */
  scope?: string;
}

/** Location of a data type's records in storage, to check whether any exist. */
export type StoredAs =
  /** Ids of series. */
  { of: 'samples'; typeIds: readonly number[] } | { of: 'sleep_sessions' } | { of: 'workouts' };

/** One data type of the vendor. */
export interface PullDataType {
  /** The vendor's name of the data type, as in notifications, e.g. `heart-rate`. */
  id: string;
  /** Part of a manual sync that includes this data type. */
  part: 'workouts' | '247';
  /** Alternative scopes. Any single scope in the list is sufficient. */
  scopes: readonly string[];
  /** Overlap window of the cursor for late data, in milliseconds. */
  latenessMs: number;
  stored: StoredAs;
  /**
   * Type of the sessions that are stored under the ids from notifications. Set if notifications contain ids but no
   * times.
   */
  itemsIn?: 'sleep_sessions' | 'workouts';
  /** True if the vendor's notifications report this data type. Other data types are polled in webhook mode too. */
  notified: boolean;
  /** Typical number of requests per poll; default 1. */
  requestsPerPoll?: number;
  /**
   * Milliseconds for which polls skip the data type after the vendor rejected it as not granted or not subscribed.
   * Default: each poll requests it.
   */
  rejectedForMs?: number;
}

/** The operator's settings for a pull. */
export interface PullMode {
  granularity: Granularity;
  configuration: ProviderConfiguration;
}

/** Facts about the user's account that a reading needs. */
export interface VendorAccount {
  /** IANA name; undefined if the vendor does not report the zone, or if the granted scopes do not include it. */
  timeZone?: string;
  /** IANA name of the user's fallback zone: the configured zone, or the zone of a connection. */
  userTimeZone?: string;
  /** Minutes ahead of UTC in the newest data, if the zone is unknown. */
  offsetMinutes?: number;
  /** Scopes that the user granted. */
  scopes: ReadonlySet<string>;
}

/** Range and items of one reading. */
export interface ReadWindow extends TimeRange {
  /** Last stored id among the items of the last millisecond; see `WindowReading.fromItem`. */
  doneItem?: string | undefined;
  /** Ids of awaited items to read. Default: all items. */
  items?: readonly string[] | undefined;
}

/** An item that the vendor delivered incompletely. */
export interface AwaitedItem {
  itemId: string;
  /** The item's time within its data type. A window that starts at this time contains the item. */
  atMs: number;
}

/** All data of one window and data type. */
export interface WindowReading {
  /**
   * Records and replacements. A `replacement` deletes stored rows of the window that the batch does not contain. The
   * caller stores the batch in one transaction.
   */
  batch: RecordBatch;
  /**
   * Start of the range that the batch covers completely, in milliseconds, if one response does not cover the whole
   * window. The remaining range is read next. Default: the start of the window.
   */
  fromMs?: number;
  /**
   * Last id in the batch among the items of the last millisecond before `fromMs`. The next reading receives it as
   * `doneItem` and continues after it, because one time may have more items than a reading can hold.
   */
  fromItem?: string;
  /**
   * Items that the vendor may complete later. The batch contains these items without the missing part. The service
   * requests the items again for some days.
   */
  awaited?: readonly AwaitedItem[];
  /**
   * Values that the vendor reports without a time. A value is stored if it differs from the provider's newest value of
   * its series. A reading with such values contains nothing else: its batch is empty.
   */
  states?: readonly SampleRecord[];
  /** Fallback samples of the batch, dropped if the preferred samples are stored. */
  fallbacks?: Fallbacks;
  rejections: RejectionReport;
  /** Number of points received, including unsupported ones. */
  received: number;
  /** Number of received points that report a missing value. */
  noValue: number;
  /** Number of items dropped because other items of the response contain the same data in more detail. */
  superseded: number;
}

/**
 * Fallback samples for a series that the vendor does not deliver at present. A fallback sample is dropped if an already
 * stored preferred sample is closer than `nearMs`.
 */
export interface Fallbacks {
  typeId: number;
  /** Ids of the fallback samples. */
  externalIds: readonly string[];
  /** Ids of the preferred samples. */
  insteadOf: readonly string[];
  nearMs: number;
}

/** Reads data by REST. */
export interface PullAdapter {
  /** Data types in reading order. */
  dataTypes: readonly PullDataType[];
  /**
   * Reads the time zone and other account facts once per run. Omits facts that the granted scopes do not include.
   * @throws VendorError
   */
  account(api: VendorApi, scopes: ReadonlySet<string>): Promise<VendorAccount>;
  /**
   * Returns windows that cover the range, newest first, each small enough for one reading and one transaction. Windows
   * extend to whole hours or days if the mode or data type requires it.
   */
  windows(dataType: string, range: TimeRange, mode: PullMode, account: VendorAccount): readonly TimeRange[];
  /** @throws VendorError */
  read(
    api: VendorApi,
    dataType: string,
    window: ReadWindow,
    mode: PullMode,
    account: VendorAccount,
  ): Promise<WindowReading>;
  /**
   * Requests the time of an item whose notification contains only an id, if the vendor offers such a request.
   * @returns undefined if the vendor has no item with this id
   * @throws VendorError
   */
  locate?(api: VendorApi, dataType: string, itemId: string): Promise<TimeRange | undefined>;
}

/** Limits of the vendor, in requests. */
export interface VendorQuotas {
  perUserAndMinute: number;
  /** Limit for all users together, like the limits per day and week. */
  perApplicationAndMinute: number;
  /** Undefined if the vendor has no daily limit. */
  perApplicationAndDay?: number;
  /** Undefined if the vendor has no weekly limit. */
  perApplicationAndWeek?: number;
  /** For planning: number of requests that each connected user adds to `perApplicationAndDay`. */
  perUserAndDay?: number;
  /**
   * True if responses report the limits of quarter hours and days (`remaining`). The remaining requests may then be
   * used in one burst, and `perApplicationAndDay` is for planning only.
   */
  limitsInAnswers?: true;
  /** Reads the application's remaining requests from response headers, if the vendor reports them. */
  remaining?(headers: Headers): readonly RemainingRequests[];
}

/** Remaining requests of a quota window that lasts `seconds`. */
export interface RemainingRequests {
  requests: number;
  seconds: number;
  /** Seconds until the window resets, if the vendor reports it. The budget is not refilled before that. */
  resetSeconds?: number;
}

/** Definition of one vendor's cloud. */
export interface CloudProvider {
  /** Prefix of the provider's settings, e.g. `CLOUDHEALTH`. `earlierPrefix` is the fallback for unset variables. */
  settingsPrefix: string;
  earlierPrefix?: string;
  settings: readonly ProviderSetting[];
  addresses: VendorAddresses;
  quotas: VendorQuotas;
  /** Applies the operator's settings to the quotas. Set if the vendor's applications have different quotas. */
  configuredQuotas?(quotas: VendorQuotas, configuration: ProviderConfiguration): VendorQuotas;
  /** Headers of every data request in addition to the user's token, such as an application key. */
  requestHeaders?(configuration: ProviderConfiguration): Readonly<Record<string, string>>;
  /** Maximum response size in bytes. */
  maxResponseBytes: number;
  readError: ErrorReader;
  oauth: OAuthDefinition;
  pull?: PullAdapter;
  /**
   * Applies the operator's settings to the pull adapter. Set if a setting increases the number of requests per poll.
   */
  configuredPull?(pull: PullAdapter, configuration: ProviderConfiguration): PullAdapter;
  /** Undefined if the vendor does not offer single workouts. */
  workouts?: VendorWorkouts;
  webhook?: WebhookAdapter;
  /** Webhooks that carry the data. A provider has either `deliveries` or `webhook`. */
  deliveries?: DeliveryAdapter;
  /** Historical exports, if the vendor accepts a request and sends the data later as deliveries. */
  exports?: ExportAdapter;
  subscribers?: SubscriberAdapter;
}
