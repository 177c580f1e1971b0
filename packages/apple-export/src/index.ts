export type { BeatList, ExportElement, ExportRecord } from './element.js';
export { ExportError, type ExportErrorCode } from './errors.js';
export type {
  ExportFormat,
  ExportHandler,
  ExportProgress,
  ExportSummary,
  ReadExportOptions,
} from './export-handler.js';
export type { FileKind } from './file-kinds.js';
export { parseInstant } from './instant.js';
export type { Interned } from './intern.js';
export type { ExportLimits } from './limits.js';
export { countName, mostFrequent } from './name-counts.js';
export { readExport } from './read-export.js';
