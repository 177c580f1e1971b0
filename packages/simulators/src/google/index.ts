export type { AutomaticConsent } from '../vendor/index.js';
export type { AccountChange, AccountInput, AccountState, GoogleAccount, HistoryOptions } from './account.js';
export type { GoogleControl, GoogleRequestRecord } from './control.js';
export type {
  Fault as GoogleFault,
  FaultKind as GoogleFaultKind,
  FaultMatch as GoogleFaultMatch,
} from './fault-types.js';
export type { GoogleBehaviour, GoogleSimulatorOptions, SimulatedQuota } from './options.js';
export type {
  DataSource as GoogleDataSource,
  PointInput as GooglePointInput,
  PointSelection as GooglePointSelection,
  SourceKey as GoogleSourceKey,
} from './point-types.js';
export { connectGoogleSimulator, type GoogleSimulator, type GoogleUrls } from './simulator.js';
export { startGoogleSimulator } from './start.js';
export type { DeliveryRecord as GoogleDelivery, SubscriberResource as GoogleSubscriber } from './subscriber-types.js';
export type { TrueExercise, TruePoint, TrueSleep, TrueWindow } from './truth-types.js';
