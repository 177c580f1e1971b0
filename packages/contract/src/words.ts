// Words of the contract that callers need too: lists of values, from which schemas and types come.

/**
 * Who did something. The id is that of the developer, of the API key, of the application, or of the application behind a
 * device's token. `service` is this service itself, e.g. when it deletes what is older than its settings allow.
 */
export const AUDIT_ACTOR_TYPES = ['developer', 'api_key', 'sdk', 'application', 'service', 'anonymous'] as const;
export type AuditActorType = (typeof AUDIT_ACTOR_TYPES)[number];

/** How it ended: done, refused because a right was missing, or not done for another reason. */
export const AUDIT_OUTCOMES = ['success', 'denied', 'failure'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Languages of the page on which people connect. */
export const CONNECT_LANGUAGES = ['en', 'de'] as const;
export type ConnectLanguage = (typeof CONNECT_LANGUAGES)[number];

/** How a link stands: `used` when every provider that it offers was connected with it. */
export const CONNECT_LINK_STATES = ['open', 'used', 'expired', 'revoked'] as const;

/** What became of one provider of a link; `partial`: connected, and the person did not agree to all kinds of data. */
export const CONNECT_OUTCOMES = ['open', 'connected', 'partial', 'failed'] as const;

/** How syncing goes on: the service asks the vendor, or the vendor reports changes. */
export const LIVE_SYNC_MODES = ['pull', 'webhook'] as const;
export type LiveSyncMode = (typeof LIVE_SYNC_MODES)[number];

/** How a connection stands; `ended`: taken back, run out or disconnected. */
export const CONNECTION_STATES = ['active', 'failing', 'ended'] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/**
 * Header that every call of a console session carries. A page of another origin cannot send it unless CORS_ORIGINS lists
 * that origin, so no foreign page can act with the cookie of the person who visits it.
 */
export const CONSOLE_HEADER = { name: 'X-Healthd-Console', value: '1' } as const;

export const INVITATION_STATUSES = ['pending', 'sent', 'failed', 'accepted', 'expired', 'revoked'] as const;

/**
 * What became of a consent when its user was erased.
 * - `returned`: the vendor ended it, or had ended it already.
 * - `kept`: left as it is, because it is, or may be, the consent of another user here too.
 * - `failed`: the vendor did not confirm in time that it ended it.
 * - `not_possible`: the vendor offers no way to end it, or the service has no credentials for the vendor any more.
 * - `ended_before`: the connection had ended before, here or at the vendor, and no tokens were held any more to ask with.
 * - `none`: none was held, such as that of a device that pushes.
 */
export const CONSENT_ENDS = ['returned', 'kept', 'failed', 'not_possible', 'ended_before', 'none'] as const;
export type ConsentEnd = (typeof CONSENT_ENDS)[number];

/** How a file meets what files brought before. */
export const IMPORT_MODES = ['merge', 'replace'] as const;

/** How fine the data are that a provider is requested. */
export const DATA_GRANULARITIES = ['daily', 'hourly', 'raw'] as const;

/** Terms of vendors, as the API names them. */
export const VENDOR_TERMS = [
  'assistants',
  'combine',
  'cache_days',
  'on_disconnect',
  'archive',
  'attribution',
  'research',
] as const;
export type VendorTermName = (typeof VENDOR_TERMS)[number];

/**
 * How a term stands. `unknown`: the vendor's term is not known. `allows`: nothing follows from it. `acts`: the service
 * keeps it. `asks`: it would delete or hide data and waits for the operator. `declined`: the operator declined it.
 */
export const TERM_STATES = ['unknown', 'allows', 'acts', 'asks', 'declined'] as const;
export type TermState = (typeof TERM_STATES)[number];

export const TERM_ANSWERS = ['accepted', 'declined'] as const;
export type TermAnswer = (typeof TERM_ANSWERS)[number];

/** How data came in. */
export const SYNC_SOURCES = ['pull', 'webhook', 'sdk', 'backfill', 'xml_import', 'linked_account'] as const;
export type SyncSource = (typeof SYNC_SOURCES)[number];

/** Where a run is; the last three are final. */
export const SYNC_STAGES = [
  'queued',
  'started',
  'fetching',
  'processing',
  'saving',
  'completed',
  'failed',
  'cancelled',
] as const;
export type SyncStage = (typeof SYNC_STAGES)[number];

/** How a run stands or ended. */
export const SYNC_STATUSES = ['in_progress', 'success', 'partial', 'failed', 'cancelled', 'skipped'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

/** Orders of the users of a group: by what happened to their connection last, or by when it was made. */
export const TROUBLED_ORDERS = ['latest', 'created_at'] as const;
export type TroubledOrder = (typeof TROUBLED_ORDERS)[number];

export const USER_SORT_COLUMNS = ['created_at', 'email', 'first_name', 'last_name', 'last_synced_at'] as const;
export type UserSortColumn = (typeof USER_SORT_COLUMNS)[number];

/** How users are found by their connections; `none` is the lack of one. */
export const USER_CONNECTION_STATES = [...CONNECTION_STATES, 'none'] as const;
export type UserConnectionState = (typeof USER_CONNECTION_STATES)[number];
