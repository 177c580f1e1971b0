export type { OuraControl, OuraSimulator, OuraSimulatorOptions } from './simulator.js';
export { startOuraSimulator } from './start.js';
export type { OuraSubscription } from './subscriptions.js';
export type { OuraTruth } from './truth.js';
export type { OuraCollection, OuraDocument, OuraEvent, OuraInput } from './wire-types.js';
