export {
  FALLBACK_ZONE,
  isStorableZone,
  PLACE_ITEMS,
  requestPlacing,
  storeAccountZone,
} from './offsets/fallback-zone.js';
export { JOIN_SOURCES } from './sources/source-aliases.js';
export type { SessionTable } from './tombstones.js';
export type { ChangedIds, WriteCounts, WriteResult } from './write-result.js';
