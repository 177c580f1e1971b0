export type { GarminAccount, GarminAccountInput } from './account.js';
export type { GarminControl } from './control.js';
export type { GarminFault } from './faults.js';
export type { GarminSimulatorOptions } from './options.js';
export type { GarminSimulator } from './simulator.js';
export { startGarminSimulator } from './start.js';
export type { GarminTruth } from './truth.js';
export type { GarminItem, GarminItems } from './wire-types.js';
