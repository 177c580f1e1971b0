export type {
  AwaitedItem,
  CloudProvider,
  Granularity,
  NewConsent,
  OAuthDefinition,
  ProviderSetting,
  PullAdapter,
  PullDataType,
  PullMode,
  ReadWindow,
  RemainingRequests,
  Fallbacks,
  StoredAs,
  VendorAccount,
  VendorIdentity,
  VendorQuotas,
  WindowReading,
} from './cloud-provider.js';
export { createVendorApi } from './create-vendor-api.js';
export type {
  BodySignature,
  CallbackAdapter,
  DeliveredDataType,
  DeliveredItem,
  DeliveredMessageItem,
  DeliveredRecords,
  DeliveryAdapter,
  DeliveryProof,
  ItemPiece,
  ListFacts,
  LongList,
  ReplacedPart,
} from './delivery.js';
export { type ConsentEnd, endConsent } from './end-consent.js';
export type { ExportAdapter, ExportType } from './export.js';
export { fetchJson, type JsonRead } from './fetch-json.js';
export { joinRanges } from './join-ranges.js';
export { losesReports } from './loses-reports.js';
export type { ProviderConfiguration } from './provider-configuration.js';
export {
  type GrantedTokens,
  type Revocation,
  requestTokens,
  type TokenGrant,
  type TokenRequest,
} from './request-tokens.js';
export { acceptsToken } from './send-with-token.js';
export type {
  EnsureOptions,
  Subscriber,
  SubscriberAdapter,
  SubscriberOutcome,
  SubscriberRegistration,
} from './subscribers.js';
export { Tally } from './tally.js';
export type { TimeRange } from './time-range.js';
export type { ClientCredentials } from './token-form.js';
export type {
  BudgetResponse,
  ErrorReader,
  RequestBudget,
  TokenSource,
  VendorAddresses,
  VendorApi,
  VendorRequest,
} from './vendor-api.js';
export type { VendorApiOptions } from './vendor-call.js';
export {
  OWN_QUOTA,
  OWN_QUOTA_WAIT,
  requireAtMost,
  TOO_LARGE,
  TOO_MANY_ITEMS,
  VendorError,
  type VendorErrorCode,
  type VendorFailure,
} from './vendor-error.js';
export type { VendorWorkouts, VendorWorkoutsQuery } from './vendor-workouts.js';
export type {
  DeliveryHead,
  SignatureCheck,
  VendorNotification,
  WebhookAdapter,
  WebhookDelivery,
} from './webhook.js';
