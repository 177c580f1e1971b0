// Enums of the contract that callers use too. Schemas and types derive from them.

/**
 * Actor type in the audit trail. The actor's ID is the ID of the developer, API key or application. For `sdk`, it is
 * the ID of the application that issued the device token. `service` is this service, for example when it deletes
 * expired data.
 */
export const AUDIT_ACTOR_TYPES = ['developer', 'api_key', 'sdk', 'application', 'service', 'anonymous'] as const;
export type AuditActorType = (typeof AUDIT_ACTOR_TYPES)[number];

/** Result of an action: succeeded, denied because a permission is missing, or failed for another reason. */
export const AUDIT_OUTCOMES = ['success', 'denied', 'failure'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Languages of the connect page. */
export const CONNECT_LANGUAGES = ['en', 'de'] as const;
export type ConnectLanguage = (typeof CONNECT_LANGUAGES)[number];

/** State of a connect link; `used` means that every provider was connected. */
export const CONNECT_LINK_STATES = ['open', 'used', 'expired', 'revoked'] as const;

/** Result for one provider of a link; `partial` means connected without some data types. */
export const CONNECT_OUTCOMES = ['open', 'connected', 'partial', 'failed'] as const;

/** Sync mode: the service polls the vendor, or the vendor sends webhooks. */
export const LIVE_SYNC_MODES = ['pull', 'webhook'] as const;
export type LiveSyncMode = (typeof LIVE_SYNC_MODES)[number];

/** State of a connection; `ended` means revoked, expired or disconnected. */
export const CONNECTION_STATES = ['active', 'failing', 'ended'] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/**
 * Header of every console request. A page of another origin cannot send the header unless CORS_ORIGINS lists that
 * origin. A foreign page therefore cannot use the visitor's session cookie.
 */
export const CONSOLE_HEADER = { name: 'X-Healthd-Console', value: '1' } as const;

export const INVITATION_STATUSES = ['pending', 'sent', 'failed', 'accepted', 'expired', 'revoked'] as const;

/**
 * State of the grant at the vendor after its user was erased.
 * - `returned`: revoked now or earlier.
 * - `kept`: not revoked, because it may belong to another user here.
 * - `failed`: the vendor did not confirm the revocation in time.
 * - `not_possible`: the vendor cannot revoke grants, or its credentials are not configured.
 * - `ended_before`: the connection had already ended, so there was no token to revoke.
 * - `none`: there was no grant, for example for a phone.
 */
export const CONSENT_ENDS = ['returned', 'kept', 'failed', 'not_possible', 'ended_before', 'none'] as const;
export type ConsentEnd = (typeof CONSENT_ENDS)[number];

/** How an import treats items of earlier files. */
export const IMPORT_MODES = ['merge', 'replace'] as const;

/** Resolution of samples to request from a provider. */
export const DATA_GRANULARITIES = ['daily', 'hourly', 'raw'] as const;

/** Names of the vendor terms in the API. */
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
 * State of a term.
 * - `unknown`: the vendor's term is unknown.
 * - `allows`: the term requires no action.
 * - `acts`: the service enforces the term.
 * - `asks`: the term would delete or hide data and waits for the operator.
 * - `declined`: the operator declined the term.
 */
export const TERM_STATES = ['unknown', 'allows', 'acts', 'asks', 'declined'] as const;
export type TermState = (typeof TERM_STATES)[number];

export const TERM_ANSWERS = ['accepted', 'declined'] as const;
export type TermAnswer = (typeof TERM_ANSWERS)[number];

/** How data arrived. */
export const SYNC_SOURCES = ['pull', 'webhook', 'sdk', 'backfill', 'xml_import', 'linked_account'] as const;
export type SyncSource = (typeof SYNC_SOURCES)[number];

/** Stage of a run; the last three are final. */
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

/** Status of a run. */
export const SYNC_STATUSES = ['in_progress', 'success', 'partial', 'failed', 'cancelled', 'skipped'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

/** Sort orders of a group's users: by the last event or by the creation of the user's connection. */
export const TROUBLED_ORDERS = ['latest', 'created_at'] as const;
export type TroubledOrder = (typeof TROUBLED_ORDERS)[number];

export const USER_SORT_COLUMNS = ['created_at', 'email', 'first_name', 'last_name', 'last_synced_at'] as const;
export type UserSortColumn = (typeof USER_SORT_COLUMNS)[number];

/** Filter for users by connection; `none` means without a connection. */
export const USER_CONNECTION_STATES = [...CONNECTION_STATES, 'none'] as const;
export type UserConnectionState = (typeof USER_CONNECTION_STATES)[number];
