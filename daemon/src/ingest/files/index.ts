export { acceptImport } from './accept-import.js';
export { cleanSpool, type SpoolServices, spoolCleaning } from './clean-spool.js';
export { type ConfirmServices, confirmImport } from './confirm-import.js';
export { fileAdapterOf } from './file-adapter-of.js';
export { type ImportFile, isReceived } from './import-files.js';
export {
  type ImportEnqueuer,
  type ImportPayload,
  importJob,
  importPayload,
  importSweeper,
} from './import-job.js';
export type { ImportReport } from './import-report.js';
export { type ReceivedFile, receiveUpload } from './receive-upload.js';
export { type ImportRetryServices, importRetrier } from './retry-import.js';
export type { ImportServices } from './run-import.js';
export type { ImportSettings } from './settings.js';
export { UploadAddresses, type UploadGrant } from './upload-addresses.js';
