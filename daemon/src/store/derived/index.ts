export type { CountedStretch } from './merged/merge-intervals.js';
export type { MergeQuery, MergeSource } from './merged/merge-sources.js';
export { type MergedDay, mergeDays } from './merged/merged-days.js';
export { NIGHT_READINGS, NIGHT_SUMS, STORED_NIGHTS_PER_DATE } from './nights/night-value.js';
export { mergeAndCache } from './merged/merged-store.js';
