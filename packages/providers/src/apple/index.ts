export { EXPORT_ERRORS } from '@healthd/apple-export';
export type { WorkerMessage as AppleExportEvent } from './export-messages.js';
export { type ExportReaderOptions, readAppleExportInThread } from './export-reader.js';
export type { AppleExportReport } from './import-report.js';
export { APPLE } from './provider.js';
export { type AppleExportOptions, type AppleExportSink, readAppleExport } from './read-apple-export.js';
