export * from './apple-export/index.js';
export {
  type FitMessageKind,
  FitWriter,
  type RecordedSecond,
  readableReadings,
  type WorkoutFile,
  workoutFileBytes,
} from './fit/index.js';
export * from './garmin/index.js';
export * from './google/index.js';
export * from './oura/index.js';
export * from './polar/index.js';
export { Random } from './random.js';
export * from './strava/index.js';
export * from './suunto/index.js';
export * from './ultrahuman/index.js';
export type { AccountFacts, VendorFault } from './vendor/index.js';
export { eventTargetMethod, type RunningVendor, SIMULATED_VENDORS } from './vendors.js';
export * from './whoop/index.js';
