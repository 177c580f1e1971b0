export { CHANGE, type Change, DELETED } from './change.js';
export {
  allChangesIn,
  type ChangedSummary,
  dayRanges,
  itemDate,
  type ItemTable,
  type UserChanges,
} from './changes.js';
export type { WriteCounts } from './item-counts.js';
export { FALLBACK_ZONE, fallbackZoneOf, isStorableZone, loadFallbackZone } from './offsets/fallback-zone.js';
export { loadTimeline } from './offsets/timeline-rows.js';
export { type RankedSource, type RuleSource, ruleSource } from './sources/rule-source.js';
export {
  advanceRepair,
  countRepairedUser,
  dueRepairs,
  endRepair,
  finishProgress,
  JOIN_SOURCES,
  type PendingRepair,
  PLACE_ITEMS,
  postponeRepair,
  type RepairProgress,
  readRepairProgress,
  requestRedating,
  startOfRepair,
  startProgress,
} from './pending-repairs.js';
export { DEVICE_OF_ROW, ID_OF_ROW } from './pushed/pushed-items.js';
export { pushedTypesOf } from './pushed/pushed-types.js';
export { SAMPLE_ID, sampleId } from './samples/sample-id.js';
export type { SessionTable } from './tombstones.js';
export type { ChangedIds, DisplacedSession, WriteResult } from './write-result.js';
