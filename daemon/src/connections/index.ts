export type { AccountState, Connection, ConnectionStatus, Establishment, StatusReason } from './connection.js';
export type {
  ConfiguredCloud,
  ConnectedListener,
  Connections,
  ProviderUse,
  SubscriberState,
} from './connections.js';
export { type ConnectionParts, type ConnectionsOptions, createConnections } from './create-connections.js';
export { createPriorityList, type PriorityList } from './priorities.js';
export { type PriorityWatch, type PriorityWatchOptions, watchPriorities } from './priority-watch.js';
