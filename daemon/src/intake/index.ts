export { acceptImport } from './accept-import.js';
export { CLEAN_SPOOL_JOB, cleanSpool, cleanSpoolJob, type SpoolServices } from './clean-spool.js';
export * from './device/index.js';
export { IMPORT_JOB, type ImportJobServices, importJob, importJobOf, importSweeper } from './import-job.js';
export type { ImportReport } from './import-report.js';
export { type ReceivedFile, receiveUpload } from './receive-upload.js';
export type { ImportServices } from './run-import.js';
export { DEFAULT_IMPORT_SETTINGS, type ImportSettings } from './settings.js';
export { openSpool, type Spool, type SpooledFile } from './spool.js';
