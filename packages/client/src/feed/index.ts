export {
  type AgedDays,
  type ChangedDays,
  type CopyApi,
  type CopyOptions,
  endOfFeed,
  type HealthCopy,
  snapshotThenFollow,
} from './copy.js';
export { type CopyDigest, DigestBuilder, type DigestGroup } from './digest.js';
export {
  type ChangesApi,
  CursorExpiredError,
  type CursorStore,
  FeedOffError,
  type FollowOptions,
  follow,
} from './follow.js';
export { isTransient, pause, retryDelayMs, TruncatedError } from './retry.js';
export { linesOf, readSnapshot, type Snapshot, type SnapshotApi, type SnapshotRange, snapshotsOf } from './snapshot.js';
export {
  ROW_KINDS,
  type RowKind,
  type SnapshotEnd,
  type SnapshotHead,
  type SnapshotLine,
  type SnapshotRow,
  type SnapshotSource,
} from './snapshot-lines.js';
export {
  type DayRange,
  type DigestApi,
  type Difference,
  type UserCopy,
  type Verification,
  verifyCopy,
} from './verify.js';
export type { Change, ChangePage, UserDigest } from './wire.js';
