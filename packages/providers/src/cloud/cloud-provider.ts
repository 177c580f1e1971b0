import type { RecordBatch, RejectionReport, SampleRecord } from '@healthd/model';
import type { DeliveryAdapter } from './delivery.js';
import type { ExportAdapter } from './export.js';
import type { ProviderConfiguration } from './provider-configuration.js';
import type { SubscriberAdapter } from './subscribers.js';
import type { TimeRange } from './time-range.js';
import type { ErrorReader, VendorAddresses, VendorApi, VendorRequest } from './vendor-api.js';
import type { VendorWorkouts } from './vendor-workouts.js';
import type { WebhookAdapter } from './webhook.js';

/** How fine the data are that a pull asks for. */
const GRANULARITIES = ['raw', 'hourly', 'daily'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** One setting that only this provider has. Its variable is the provider's prefix and `name`. */
export interface ProviderSetting {
  /** Without the prefix, e.g. `USE_RECONCILE`. */
  name: string;
  /** `digits`: a number that names something; it stays the text that was set. */
  kind: 'boolean' | 'digits' | 'text' | 'file';
  /** The only texts allowed. */
  choices?: readonly string[];
  default?: string;
  help: string;
  secret?: true;
}

/** How people give consent, and whose data come. */
export interface OAuthDefinition {
  /** Space-separated, asked for unless the operator sets another. */
  defaultScope: string;
  /** S256 challenges. */
  pkce: boolean;
  /** Where client id and secret go when tokens are requested. */
  clientAuthentication: 'body' | 'basic';
  /** Further parameters of the consent page's address. */
  authorizeParameters: Readonly<Record<string, string>>;
  /** Life of an access token where the vendor does not say, in seconds. */
  accessTokenSeconds: number;
  /**
   * Where it is said what the person granted: with the tokens, or by `identify` alone, because the scope of the tokens means
   * something else. Default `tokens`.
   */
  grantedBy?: 'tokens' | 'identity';
  /** Whether a connection is good for nothing until it is known whose account it is, because data find it by that. */
  needsIdentity?: true;
  /** Sent with every renewal, where the vendor gives a refresh token only for it. */
  refreshScope?: string;
  /** Between scopes in the consent page's address, where that is no blank. */
  scopeSeparator?: ',';
  /** The name of a granted scope as `PullDataType.scopes` has it, where the vendor writes it otherwise. */
  scopeName?(granted: string): string;
  /** What the revocation endpoint wants beside the token. */
  revocation?: { clientAuthentication?: 'basic'; tokenTypeHint: true };
  /**
   * Ends the consent with the person's access token, where the vendor has no revocation endpoint; a function where the address
   * names the account (`VendorIdentity.userId`) or the client.
   */
  endConsent?: VendorRequest | ((account: string, configuration: ProviderConfiguration) => VendorRequest);
  /**
   * The request that shows whether the vendor still accepts a token of this account (`VendorIdentity.userId`), where there is
   * no refresh token: one kind of data may refuse a token that is good for the others.
   */
  probe?(account: string): VendorRequest;
  /**
   * Asks the vendor whose account it is.
   * @param consent what was just granted; undefined for a connection that is stored already
   * @throws VendorError
   */
  identify(api: VendorApi, consent?: NewConsent): Promise<VendorIdentity>;
}

/** A consent that is not stored yet. */
export interface NewConsent {
  /** Our id of the user who consented. */
  userId: string;
  /** All members of the answer that had the tokens, secrets included. */
  members: Readonly<Record<string, unknown>>;
}

export interface VendorIdentity {
  /** The vendor's stable id of the account, as notifications name it. */
  userId: string;
  /** For display. */
  username?: string;
  /** What the person granted, separated by spaces, where the vendor says it here; undefined where it could not be asked. */
  scope?: string;
}

/** Where the records of a kind of data are stored, so that it can be said whether there are any. */
export type StoredAs =
  /** Ids of series. */
  { of: 'samples'; typeIds: readonly number[] } | { of: 'sleep_sessions' } | { of: 'workouts' };

/** One kind of data that the vendor gives. */
export interface PullDataType {
  /** The vendor's name of it, as in notifications, e.g. `heart-rate`. */
  id: string;
  /** Which half of a manual sync asks for it. */
  part: 'workouts' | '247';
  /** Any one of these granted scopes is enough. */
  scopes: readonly string[];
  /** The cursor trails by this much, because data arrive late, in milliseconds. */
  latenessMs: number;
  stored: StoredAs;
  /** Which sessions carry the ids that notifications name, where they name items and no times. */
  itemsIn?: 'sleep_sessions' | 'workouts';
  /** Whether the vendor's notifications report it; the rest is polled in webhook mode too. */
  notified: boolean;
  /** Requests that a poll of it takes as a rule; default 1. */
  requestsPerPoll?: number;
  /**
   * How long polls leave it out once the vendor refused it as not granted or not subscribed to, in milliseconds; default: they
   * request it each time.
   */
  refusedForMs?: number;
}

/** What the operator wants of a pull. */
export interface PullMode {
  granularity: Granularity;
  configuration: ProviderConfiguration;
}

/** What a reading must know of the person's account. */
export interface VendorAccount {
  /** IANA name; undefined when the vendor does not report it or may not. */
  timeZone?: string;
  /** IANA name of the zone that counts for the user where data show none: the one that was set, or that of a connection. */
  userTimeZone?: string;
  /** Minutes ahead of UTC that the newest data show, where the zone is not known. */
  offsetMinutes?: number;
  /** Scopes that the person granted. */
  scopes: ReadonlySet<string>;
}

/** What a reading is asked for. */
export interface ReadWindow extends TimeRange {
  /** Of the items of its last millisecond, those up to this id are stored; see `WindowReading.fromItem`. */
  doneItem?: string | undefined;
  /** Ids of the only items that are to be read, which were awaited. Default: all. */
  items?: readonly string[] | undefined;
}

/** An item of which the vendor did not give all. */
export interface AwaitedItem {
  itemId: string;
  /** Where it stands in the time of its kind of data: a window that begins there has it. */
  atMs: number;
}

/** All that the vendor holds for one window of one data type. */
export interface WindowReading {
  /**
   * Records and what they replace: a `replacement` says which stored rows of the window are gone unless the batch has
   * them. The caller stores it in one transaction.
   */
  batch: RecordBatch;
  /**
   * Since when the batch is all there is, where the vendor did not give the whole window in one answer, in milliseconds; the rest is
   * read next. Default: the start of the window.
   */
  fromMs?: number;
  /**
   * Of the items of the last millisecond before `fromMs`, those up to this id are in the batch too: more of them have one time than
   * one reading takes. The next one is given it as `doneItem`.
   */
  fromItem?: string;
  /** Items of which the vendor may give a part later. They are in the batch without it, and requested again for some days. */
  awaited?: readonly AwaitedItem[];
  /**
   * What the vendor gives without a time: stored where it differs from the newest value of its series from this provider.
   * Such a reading has nothing else, and its batch is empty.
   */
  states?: readonly SampleRecord[];
  /** Samples of the batch that are left out where what they stand in for is stored. */
  standIns?: StandIns;
  rejections: RejectionReport;
  /** Points the vendor sent, those without a meaning for us included. */
  received: number;
  /** Of these, the ones that the vendor sent to say that there is no value. */
  noValue: number;
  /** Items left out because others of the same answer say the same, and more of it. */
  superseded: number;
}

/**
 * Samples of a batch that stand in for others of their series which the vendor does not give at present: each is left out where
 * one of the others is stored from before, and nearer to it than `nearMs`.
 */
export interface StandIns {
  typeId: number;
  /** Ids of the samples that stand in. */
  externalIds: readonly string[];
  /** Ids of those for which they stand in. */
  insteadOf: readonly string[];
  nearMs: number;
}

/** Reads data by REST. */
export interface PullAdapter {
  /** In the order in which they are read. */
  dataTypes: readonly PullDataType[];
  /** Time zone and the like, asked once a run. What is not permitted is left out. @throws VendorError */
  account(api: VendorApi, scopes: ReadonlySet<string>): Promise<VendorAccount>;
  /**
   * Windows that together cover the range, newest first; each is small enough for one reading and one transaction.
   * They reach outwards to whole hours or days where the mode or the data type needs it.
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
   * When an item was of which a notification gives the id and no time, where the vendor can be asked for it by one request.
   * @returns undefined where the vendor has none of this id
   * @throws VendorError
   */
  locate?(api: VendorApi, dataType: string, itemId: string): Promise<TimeRange | undefined>;
}

/** Limits of the vendor, in requests. */
export interface VendorQuotas {
  perPersonAndMinute: number;
  /** All people together, as the next one. */
  perApplicationAndMinute: number;
  /** Undefined where the vendor counts no days. */
  perApplicationAndDay?: number;
  /** Undefined where the vendor counts no weeks. */
  perApplicationAndWeek?: number;
  /** For planning: what each person who is connected adds to `perApplicationAndDay`. */
  perPersonAndDay?: number;
  /**
   * Whether the limits of quarters of an hour and of days are those that the answers say (`remaining`): all of what is left
   * may then be used in one burst, and `perApplicationAndDay` is for planning only.
   */
  limitsInAnswers?: true;
  /** What an answer's headers say is left of windows of the application, where the vendor says it. */
  remaining?(headers: Headers): readonly RemainingRequests[];
}

/** Requests that are left of a window of so many seconds. */
export interface RemainingRequests {
  requests: number;
  seconds: number;
  /** Seconds until the window begins again, where the vendor says it; until then nothing is refilled. */
  resetSeconds?: number;
}

/** Everything about one vendor's cloud. */
export interface CloudProvider {
  /** Begins the variables of its settings, e.g. `CLOUDHEALTH`; `earlierPrefix` is read where those are unset. */
  settingsPrefix: string;
  earlierPrefix?: string;
  settings: readonly ProviderSetting[];
  addresses: VendorAddresses;
  quotas: VendorQuotas;
  /** The quotas as the operator set them, where applications of the vendor have different ones. */
  configuredQuotas?(quotas: VendorQuotas, configuration: ProviderConfiguration): VendorQuotas;
  /** Headers of every request of data beside the person's token, such as a key of the application. */
  requestHeaders?(configuration: ProviderConfiguration): Readonly<Record<string, string>>;
  /** Largest answer read, in bytes. */
  maxResponseBytes: number;
  readError: ErrorReader;
  oauth: OAuthDefinition;
  pull?: PullAdapter;
  /** How the data are read as the operator set it, where a setting makes polls take more requests. */
  configuredPull?(pull: PullAdapter, configuration: ProviderConfiguration): PullAdapter;
  /** Undefined where the vendor cannot be asked for single workouts. */
  workouts?: VendorWorkouts;
  webhook?: WebhookAdapter;
  /** Webhooks that carry the data. A provider has these or `webhook`. */
  deliveries?: DeliveryAdapter;
  /** The past, where it is requested and comes later with the deliveries. */
  exports?: ExportAdapter;
  subscribers?: SubscriberAdapter;
}
