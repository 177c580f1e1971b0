export type { Density } from './density.js';
export { type DeviceKey, SIMULATED_DEVICES, type SimulatedDevice } from './devices.js';
export { type GeneratedExport, type GenerateOptions, generateExport } from './generate-export.js';
export type { ExportTruth, TrueDay, TrueNight, TrueWorkout } from './truth.js';
export { archiveEntries, writeExport } from './write-export.js';
export { type ZipFileEntry, zipBytes } from './zip-writer.js';
