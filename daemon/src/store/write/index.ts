export type { SeriesChanges } from './file/change-counts.js';
export type { FileWriteOptions, FileWriter } from './file/file-writer.js';
export type { WriteOptions } from './load-context.js';
export { createRecordWriter, type RecordWriter, type RecordWriterOptions } from './writer.js';
export { previewZoneChange, type ZoneChangePreview } from './zone-change-preview.js';
