export type { Density } from './density.js';
export type { DeviceKey, SimulatedDevice } from './devices.js';
export { type GeneratedExport, type GenerateOptions, generateExport } from './generate-export.js';
export type { ExportTruth, TrueDay, TrueNight, TrueWorkout } from './truth.js';
