export type { PolarSimulator } from './simulator.js';
export { startPolarSimulator } from './start.js';
export type { PolarActivity, PolarDated, PolarExercise, PolarPeriod, PolarTest } from './wire-types.js';
