export type { StravaControl, StravaSimulator, StravaSimulatorOptions } from './simulator.js';
export { startStravaSimulator } from './start.js';
export type { StravaTruth } from './truth.js';
export type { StravaActivity, StravaEvent, StravaInput, StravaStreams, StravaSubscription } from './wire-types.js';
