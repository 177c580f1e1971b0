export type { CountedPart } from './merged/merge-intervals.js';
export type { MergeQuery, MergeSource } from './merged/merge-sources.js';
export { type MergedDay, mergeDays } from './merged/merged-days.js';
export { mergeAndCache } from './merged/merged-store.js';
