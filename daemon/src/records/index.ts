export type { SessionTable } from './session-deletion.js';
export { UserMissingError } from './user-lock.js';
export type { ChangedIds, WriteCounts, WriteResult } from './write-result.js';
export { createRecordWriter, type RecordWriter, type RecordWriterOptions } from './writer.js';
