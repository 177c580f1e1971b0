export type { SuuntoControl, SuuntoSimulator, SuuntoSimulatorOptions } from './simulator.js';
export { startSuuntoSimulator } from './start.js';
export type { SuuntoInput, SuuntoSample, SuuntoWorkout } from './wire-types.js';
