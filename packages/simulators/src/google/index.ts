export type { AccountChange, AccountInput, AccountState, GoogleAccount } from './account-types.js';
export { connectGoogleSimulator } from './connect.js';

export type { AutomaticConsent, GoogleControl, HistoryOptions } from './control.js';
export type {
  Fault as GoogleFault,
  FaultKind as GoogleFaultKind,
  FaultMatch as GoogleFaultMatch,
} from './fault-types.js';
export type { GoogleBehaviour, GoogleSimulatorOptions, SimulatedClient, SimulatedQuota } from './options.js';
export type {
  DataSource as GoogleDataSource,
  PointInput as GooglePointInput,
  PointSelection as GooglePointSelection,
  SourceKey as GoogleSourceKey,
} from './point-types.js';
export type { RequestRecord as GoogleRequestRecord } from './request-types.js';
export type { GoogleSimulator, GoogleUrls } from './simulator.js';
export { startGoogleSimulator } from './start.js';
export type { DeliveryRecord as GoogleDelivery, SubscriberResource as GoogleSubscriber } from './subscriber-types.js';
export type { TrueExercise, TruePoint, TrueSleep, TrueWindow } from './truth-types.js';
