export { connectionCleaning } from './clean-connections.js';
export type {
  ConfiguredCloud,
  ConnectedListener,
  Connections,
  ProviderSetting,
  SubscriberState,
} from './connections.js';
export { type ConsentProblem, knownMessage } from './consent/consent-problems.js';
export { ConsentStates } from './consent/consent-states.js';
export { type ConsentCallback, type ConsentOutcome, Consents, type ConsentsOptions } from './consent/consents.js';
export { allowedRedirect, type RedirectRules, requireAllowedOpener } from './consent/redirect-allowlist.js';
export { type ConnectionParts, type ConnectionsOptions, createConnections } from './create-connections.js';
export { ConnectLinks } from './links/connect-links.js';
export { isUsed, type LinkRow, statusOf } from './links/link-row.js';
export {
  isConfigurable,
  type ListedProvider,
  type ProviderChange,
} from './providers/provider-settings.js';
export { type ProviderSwitchServices, switchProvider } from './providers/provider-switch.js';
export { logStartupWarnings } from './providers/startup-warnings.js';
export { countRows, ENDED_BY_PERSON, firstStoredDay, TermRows } from './providers/term-rows.js';
export { type TermState, type TermsInForce, termsInForce } from './providers/term-states.js';
export { firstStorableDay, type TermChange, type TermChanges, VendorTerms } from './providers/vendor-terms.js';
export { countActive, type QuotaUse } from './requests/quota-use.js';
export { requestsPerDay, windowsOf } from './requests/quota-windows.js';
export { RequestBudgets } from './requests/request-budget.js';
export { REQUEST_PRIORITIES, type RequestPriority } from './requests/request-priority.js';
export { type AdoptedConnection, adoptConnection } from './store/adopted-connection.js';
export { type DueItems, dueItems, recordAwaitedItems } from './store/awaited-items.js';
export type { AccountState, Connection, ConnectionStatus, Establishment, StatusReason } from './store/connection.js';
export { recordConnectionFailure, recordConnectionSuccess } from './store/connection-health.js';
export { connectionResponse, iconUrl, missingConsent } from './store/connection-response.js';
export { moveCursor } from './store/cursor-moves.js';
export { readTypeStates, type TypeState } from './store/data-type-state.js';
export { connectDeviceSql } from './store/device-connection.js';
export { isGranted, scopesIn } from './store/granted.js';
export { recordImportedConnection } from './store/imported-connection.js';
export { CONNECTION_STATE_SQL, listAllConnections } from './store/list-connections.js';
export { markPolled } from './store/polled-connection.js';
export { storePhoneZone } from './store/time-zones.js';
export { recordOutcomes } from './store/type-outcomes.js';
export { endUnreadableConnections } from './store/unreadable-tokens.js';
export { connectionFault, type PullBlocker, pullBlockerText } from './store/unusable.js';
export { type SubscriberJobServices, subscriberJob, subscriberSweeper } from './subscribers/subscriber-job.js';
export { createRegistrations, type RegistrationServices } from './subscribers/subscriber-registration.js';
export { renewSubscribers, type SubscriberRenewalServices } from './subscribers/subscriber-renewal.js';
export { idleTokensJob } from './tokens/idle-tokens.js';
export { TokenStore } from './tokens/stored-tokens.js';
