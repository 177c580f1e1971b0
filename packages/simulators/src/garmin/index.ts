export type { GarminAccount } from './account.js';
export type { GarminControl, GarminSimulator, GarminSimulatorOptions } from './simulator.js';
export { startGarminSimulator } from './start.js';
export type { GarminTruth } from './truth.js';
export type { GarminItem, GarminItems } from './wire-types.js';
