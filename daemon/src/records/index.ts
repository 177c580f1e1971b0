export type { CountedPart } from './merge/merge-intervals.js';
export { type MergedDay, type MergeQuery, type MergeSource, mergeDays } from './merge/merged-days.js';
export { mergeAndKeep } from './merge/merged-store.js';
export { MERGED_TYPE_IDS } from './merge/merged-types.js';
export type { SessionTable } from './session-deletion.js';
export { UserMissingError } from './user-lock.js';
export type { ChangedIds, WriteCounts, WriteResult } from './write-result.js';
export { createRecordWriter, type RecordWriter, type RecordWriterOptions } from './writer.js';
