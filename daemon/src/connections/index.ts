export { type AdoptedConnection, adoptConnection } from './adopted-connection.js';
export type { AccountState, Connection, ConnectionStatus, Establishment, StatusReason } from './connection.js';
export { connectionAnswer, iconUrl } from './connection-answer.js';
export { noteConnectionFailure, noteConnectionSuccess } from './connection-health.js';
export type {
  ConfiguredCloud,
  ConnectedListener,
  Connections,
  ProviderUse,
  SubscriberState,
} from './connections.js';
export { type ConnectionParts, type ConnectionsOptions, createConnections } from './create-connections.js';
export { isGranted } from './granted.js';
export { noteImportedConnection } from './imported-connection.js';
export {
  type ConsentAnswer,
  type ConsentOutcome,
  type ConsentProblem,
  ConsentStates,
  Consents,
  DEFAULT_ERROR_MESSAGE,
  knownMessage,
  type RedirectRules,
} from './oauth/index.js';
export { createPriorityList, type PriorityList } from './priorities.js';
export { type PriorityWatch, type PriorityWatchOptions, watchPriorities } from './priority-watch.js';
export { type ProviderSwitchServices, switchProvider } from './provider-switch.js';
export { isConfigurable, type ListedProvider, type ProviderChange, ProviderUses } from './provider-uses.js';
export { giveStartNotices } from './start-notices.js';
export { TokenStore } from './stored-tokens.js';
export { type SubscriberJobServices, subscriberJob, subscriberSweeper } from './subscriber-job.js';
export { createRegistrations, type RegistrationServices } from './subscriber-registration.js';
export { renewSubscribers, type SubscriberRenewalServices } from './subscriber-renewal.js';
export { connectionFault, type PullBlocker, pullBlockerText } from './unusable.js';
export { connectionUpkeepJob } from './upkeep-job.js';
