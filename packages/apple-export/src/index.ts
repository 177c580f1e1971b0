export type { ExportElement, ExportRecord } from './element.js';
export { EXPORT_ERRORS, ExportError, type ExportErrorCode } from './errors.js';
export { parseInstant } from './instant.js';
export type { Interned } from './intern.js';
export { DEFAULT_LIMITS, type ExportLimits } from './limits.js';
export {
  type ExportFormat,
  type ExportHandler,
  type ExportProgress,
  type ExportSummary,
  type ReadExportOptions,
  readExport,
} from './read-export.js';
