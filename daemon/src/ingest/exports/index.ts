export { type Arrival, type ExportArrivals, exportArrivals } from './arrivals.js';
export { exportJob, exportSweeper } from './export-job.js';
export type { ExportPayload, ExportServices } from './export-services.js';
export { cancelExports, exportStatus } from './export-status.js';
export { hasExports, requestExports, retryExport } from './request-exports.js';
export { startExports } from './start-exports.js';
