import { type ItemCounts, noItems } from '@healthd/model';
import type pg from 'pg';
import type { Sequelize } from 'sequelize';
import { TokenStore } from '../connections/index.js';
import { inTransactionOnce, UserMissingError } from '../platform/database/index.js';
import type { RecordWriter } from '../store/write/index.js';
import { type ErasureEntry, erasedAmong, type ImportedUser, importUser, readErasures } from '../users/index.js';
import type { Vault } from '../vault/index.js';
import { copyApiKeys, copyConnections, copyPriorities } from './copy-accounts.js';
import { copyHealthData } from './copy-health-data.js';
import { readSeries } from './read-samples.js';
import type { SourceDatabase } from './source-database.js';

export interface MigrationOptions {
  source: SourceDatabase;
  pool: pg.Pool;
  /** Models on the same database. */
  sequelize: Sequelize;
  writer: RecordWriter;
  /** Encrypts the connections' tokens. */
  vault: Vault;
  /** Erasures before the copy started. The copy skips these users, and users who are erased while it runs. */
  erasures: readonly ErasureEntry[];
  /** Called after each batch and each user. */
  onProgress?(progress: MigrationProgress): void;
}

export interface MigrationProgress {
  usersDone: number;
  /** Number of items read so far. */
  items: number;
}

/** Result of a migration. */
export interface MigrationReport {
  users: { new: number; here: number; erased: number };
  profiles: {
    /** Number of users who were updated because their name, email or external ID had changed in the source. */
    updated: number;
    /** Number of users with fields that differ from the source and were kept. */
    kept: number;
    /** The first users with kept fields. */
    shown: { id: string; fields: string[] }[];
  };
  /** Number of users without their external ID, because another user here has it. */
  droppedExternalIds: number;
  connections: { new: number; updated: number };
  apiKeys: number;
  items: ItemCounts;
  rejected: Map<string, number>;
  removed: number;
}

/** Maximum number of listed users with kept fields. */
const SHOWN_PROFILES = 20;
/** Name of the migration in the audit trail. */
const BY = 'healthd migrate-from';

/**
 * Copies the source user by user: first the user and the connections in one transaction, then the health data in
 * batches. Keeps changes that were made here, so an interrupted copy can be started again.
 */
export async function migrateFrom(options: MigrationOptions): Promise<MigrationReport> {
  const { source, pool, sequelize, vault, erasures, onProgress } = options;
  const report: MigrationReport = {
    users: { new: 0, here: 0, erased: 0 },
    profiles: { updated: 0, kept: 0, shown: [] },
    droppedExternalIds: 0,
    connections: { new: 0, updated: 0 },
    apiKeys: 0,
    items: noItems(),
    rejected: new Map(),
    removed: 0,
  };
  const tokens = new TokenStore(vault);
  let usersDone = 0;
  const reportProgress = () => onProgress?.({ usersDone, items: copying.items.read });
  const copying = {
    source,
    pool,
    writer: options.writer,
    series: await readSeries(source),
    items: report.items,
    rejected: report.rejected,
    removed: 0,
    onProgress: reportProgress,
  };
  await copyPriorities(source, pool);
  report.apiKeys = await copyApiKeys(source, sequelize);
  for await (const user of readUsers(source)) {
    if (erasedAmong([user], erasures).length > 0) report.users.erased++;
    else {
      await copyUser(user).catch((error: unknown) => {
        // The running service erased the user concurrently.
        if (!(error instanceof UserMissingError)) throw error;
        report.users.erased++;
      });
    }
    usersDone++;
    reportProgress();
  }
  report.removed = copying.removed;
  return report;

  async function copyUser(user: ImportedUser): Promise<void> {
    const copied = await inTransactionOnce(pool, async (client) => {
      const imported = await importUser(client, user, BY);
      const { userKey, outcome } = imported;
      // Reads the erasures after the row was added, so that all earlier erasures are visible.
      if (outcome === 'new' && erasedAmong([user], await readErasures(client)).length > 0) throw new UserMissingError();
      const connections = await copyConnections(source, client, tokens, { id: user.id, userKey });
      return { ...imported, connections };
    });
    report.users[copied.outcome === 'new' ? 'new' : 'here']++;
    if (copied.outcome === 'updated') report.profiles.updated++;
    if (copied.storedFields.length > 0) {
      report.profiles.kept++;
      if (report.profiles.shown.length < SHOWN_PROFILES) {
        report.profiles.shown.push({ id: user.id, fields: copied.storedFields });
      }
    }
    report.connections.new += copied.connections.new;
    report.connections.updated += copied.connections.updated;
    if (copied.droppedExternalId) report.droppedExternalIds++;
    await copyHealthData(copying, { id: user.id, userKey: copied.userKey });
  }
}

/** Returns all users of the source, oldest first. */
export function readUsers(source: SourceDatabase): AsyncGenerator<ImportedUser> {
  return source.stream<ImportedUser>(
    `select id, email, first_name as "firstName", last_name as "lastName", external_user_id as "externalUserId",
            created_at::text as "createdAt"
       from "user" order by created_at, id`,
  );
}
