export {
  type AppleExportEvent,
  type AppleExportOptions,
  type AppleExportReport,
  type AppleExportSink,
  EXPORT_ERRORS,
  type ExportReaderOptions,
  readAppleExport,
  readAppleExportInThread,
} from './apple/index.js';
export {
  type Provider,
  type ProviderCapabilities,
  type ProviderCoverage,
  SLEEP_FIELDS,
  type SleepField,
  WORKOUT_FIELDS,
  type WorkoutField,
} from './provider.js';
export { PROVIDERS, providerById } from './registry.js';
