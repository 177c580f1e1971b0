export { DecideLimitError, type DecideThreadOptions } from './decide-threads.js';
export { eraseHealthData } from './erase-user-data.js';
export type { SeriesChanges } from './file/change-counts.js';
export type { ArchivedDays, FileWriteOptions, FileWriter } from './file/file-writer.js';
export type { RecordWriter } from './record-writer.js';
export type { WriteOptions } from './write-options.js';
export { createRecordWriter } from './writer.js';
export { previewZoneChange, type ZoneChangePreview } from './zone-change-preview.js';
