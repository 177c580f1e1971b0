export type { WriteOptions } from './batch-write.js';
export type { SeriesChanges } from './file/change-counts.js';
export type { FileWriteOptions, FileWriter } from './file/file-writer.js';
export { type MovedDays, movedDays } from './moved-days.js';
export { placeItems } from './place-items.js';
export { reclassifyStoredNaps } from './reclassify-naps.js';
export { createRecordWriter, type RecordWriter, type RecordWriterOptions } from './writer.js';
