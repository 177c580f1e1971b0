export { type AppleExportOptions, type AppleExportReport, readAppleExport } from './apple/index.js';
export * from './cloud/index.js';
export type { EnvelopeFault, PushReading, PushReport } from './device-push/index.js';
export type {
  AcceptedFiles,
  FileAdapter,
  FileEvent,
  FileLimits,
  FileReport,
} from './files/index.js';
export type {
  Provider,
  ProviderCapabilities,
  ProviderCoverage,
  SleepField,
  WorkoutField,
} from './provider.js';
export { providerIcon } from './provider-icons.js';
export { type BodyEncoding, type BodyFault, PushReader, PushReaderError } from './push-reader/index.js';
export { PROVIDERS, providerById } from './registry.js';
export {
  type AcceptedTermName,
  needsAcceptance,
  type ProviderTerms,
  TERM_NAMES,
  type TermName,
  type TermValues,
  type VendorTerm,
} from './terms.js';
export { Turns } from './turns.js';
