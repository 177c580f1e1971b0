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
export { type ConsentAnswer, type ConsentOutcome, Consents, type ConsentsOptions } from './consent/consents.js';
export type { RedirectRules } from './consent/redirect-allowlist.js';
export { type ConnectionParts, type ConnectionsOptions, createConnections } from './create-connections.js';
export {
  isConfigurable,
  type ListedProvider,
  type ProviderChange,
} from './providers/provider-settings.js';
export { type ProviderSwitchServices, switchProvider } from './providers/provider-switch.js';
export { logStartupWarnings } from './providers/startup-warnings.js';
export type { RequestPriority } from './requests/request-priority.js';
export { type AdoptedConnection, adoptConnection } from './store/adopted-connection.js';
export type { AccountState, Connection, ConnectionStatus, Establishment, StatusReason } from './store/connection.js';
export { noteConnectionFailure, noteConnectionSuccess } from './store/connection-health.js';
export { connectionResponse, iconUrl, missingConsent } from './store/connection-response.js';
export { connectDeviceSql } from './store/device-connection.js';
export { isGranted } from './store/granted.js';
export { noteImportedConnection } from './store/imported-connection.js';
export { markPolled } from './store/polled-connection.js';
export { endUnreadableConnections } from './store/unreadable-tokens.js';
export { connectionFault, type PullBlocker, pullBlockerText } from './store/unusable.js';
export { type SubscriberJobServices, subscriberJob, subscriberSweeper } from './subscribers/subscriber-job.js';
export { createRegistrations, type RegistrationServices } from './subscribers/subscriber-registration.js';
export { renewSubscribers, type SubscriberRenewalServices } from './subscribers/subscriber-renewal.js';
export { TokenStore } from './tokens/stored-tokens.js';
