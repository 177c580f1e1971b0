export { arrayLiteral } from './array-literal.js';
export { type BatchColumn, BatchColumns } from './batch-columns.js';
export { copyInto } from './copy.js';
export type { CopyBatch, CopyColumn, NumberColumn, TextColumn } from './copy-encoder.js';
export { type ChannelSubscription, DatabaseChannels } from './database-channels.js';
export { isFeedOn } from './feed-switch.js';
export { migrate, pendingMigrations, SchemaTooNewError } from './migrate.js';
export { migrationsTo, SchemaChangedError, SchemaTooOldError } from './migrations/adopt.js';
export type { Migration } from './migrations/index.js';
export { ONE_LOOK_EACH } from './one-look-each.js';
export { type OpenDatabase, openDatabase } from './open-database.js';
export { type Outage, outageOf } from './outage.js';
export {
  createPool,
  inRolledBackTransaction,
  inTransaction,
  inTransactionOnce,
  type PoolOptions,
  statement,
} from './pool.js';
export { heldIn, type Prerequisite, PrerequisiteMissingError } from './prerequisite.js';
export { type QueryPart, readTogether } from './read-together.js';
export { repeatOnCollision } from './repeat-on-collision.js';
export { sampleKind } from './sample-kind.js';
export { SharedSlots } from './shared-slots.js';
export { createSequelize, type StatementRunner, statementsWithin } from './sequelize.js';
export { type CommitHook, onCommit, TransactionValue } from './transaction-state.js';
export { isUniqueViolation, takenColumns } from './unique-violation.js';
export {
  lockUser,
  lockUserForErasure,
  lockUserIfExists,
  tryLockUser,
  tryLockUserSql,
  UserMissingError,
} from './user-lock.js';
export { withClient } from './with-client.js';
