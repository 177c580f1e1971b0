export type { AppleExportReport } from './import-report.js';
export { APPLE } from './provider.js';
export { type AppleExportOptions, readAppleExport } from './read-apple-export.js';
