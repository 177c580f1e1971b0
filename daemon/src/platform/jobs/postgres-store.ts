import { PostgresJobRepository } from '@agendajs/postgres-backend';
import type pg from 'pg';
import { createPool, isUniqueViolation } from '../database/index.js';
import type { JobStore, LockedJob, PendingDuplicate, StoredJobCounts } from './store.js';

const TABLE = 'agenda_jobs';

/**
 * Name of the index, which also marks that all statements have run. Change it whenever the statements below or Agenda's
 * statements change.
 */
const KEY_INDEX = 'agenda_jobs_waiting_key_v1';

/**
 * The unique index allows one waiting job per name and key. A running job has no next run and is therefore not in the
 * index, so work that arrives during the run gets another job. Rows live for a short time, so vacuum runs after a
 * fixed number of dead rows, not after a percentage of the table.
 */
const ADDITIONS = `
  alter table ${TABLE} set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  create unique index if not exists ${KEY_INDEX} on ${TABLE} (name, (data ->> 'uniqueKey'))
    where next_run_at is not null and data ->> 'uniqueKey' is not null;
`;

const WAITING = `
  select id, fail_count, next_run_at from ${TABLE}
  where name = $1 and data ->> 'uniqueKey' = $2 and next_run_at is not null and data ->> 'uniqueKey' is not null
`;

const WAKE = `
  update ${TABLE} set next_run_at = due.at, fail_count = greatest(coalesce(fail_count, 0) - 1, 0)
    from (select id, greatest($3::timestamptz, last_finished_at + interval '1 second') as at from ${TABLE}
           where name = $1 and data ->> 'uniqueKey' = $2 and next_run_at is not null) due
   where ${TABLE}.id = due.id and locked_at is null and next_run_at > due.at returning due.at
`;

const COUNTS = `
  select name,
         count(*) filter (where locked_at is null and next_run_at <= now())::int as waiting,
         count(*) filter (where locked_at is null and next_run_at > now())::int as scheduled,
         count(*) filter (where locked_at is not null)::int as running,
         count(*) filter (where fail_count > 0)::int as failing,
         min(next_run_at) filter (where locked_at is null and next_run_at <= now()) as oldest
  from ${TABLE} group by name order by name
`;

interface CountsRow extends Omit<StoredJobCounts, 'oldestWaitingSince'> {
  readonly oldest: Date | null;
}

/** Stores jobs in the service's Postgres, in table agenda_jobs, through a separate small pool. */
export class PostgresJobStore implements JobStore {
  readonly kind = 'postgres';
  readonly #pool: pg.Pool;
  #repository: PostgresJobRepository;

  constructor(connectionString: string) {
    this.#pool = createPool({
      url: connectionString,
      max: 4,
      connectTimeoutSeconds: 5,
      applicationName: 'healthd jobs',
    });
    this.#repository = this.#newRepository(false);
  }

  get repository(): PostgresJobRepository {
    return this.#repository;
  }

  async open(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      // Locks, because Agenda's statements (create or replace function, drop and create trigger) fail if processes
      // start together.
      await client.query(`select pg_advisory_lock(hashtextextended('healthd job store', 0))`);
      const { rows } = await client.query('select 1 from pg_class where oid = to_regclass($1)', [KEY_INDEX]);
      if (rows.length === 0) {
        await this.#newRepository(true).connect();
        await client.query(ADDITIONS);
      }
    } finally {
      client.release(true);
    }
    this.#repository = this.#newRepository(false);
    await this.#repository.connect();
  }

  async ping(): Promise<void> {
    await this.#pool.query('select 1');
  }

  isDuplicate(error: unknown): boolean {
    return isUniqueViolation(error);
  }

  async pendingDuplicates(name: string, uniqueKey: string): Promise<PendingDuplicate[]> {
    const { rows } = await this.#pool.query<{ id: string; fail_count: number | null; next_run_at: Date }>(WAITING, [
      name,
      uniqueKey,
    ]);
    return rows.map((row) => ({ id: row.id, failCount: row.fail_count ?? 0, nextRunAt: row.next_run_at }));
  }

  async wake(name: string, uniqueKey: string): Promise<Date | undefined> {
    return (await this.#pool.query<{ at: Date }>(WAKE, [name, uniqueKey, new Date()])).rows[0]?.at;
  }

  async releaseUnstarted(before: Date): Promise<string[]> {
    const { rows } = await this.#pool.query<{ name: string }>(
      `update ${TABLE} set locked_at = null
        where type = 'normal' and locked_at <= $1 and next_run_at is not null returning name`,
      [before],
    );
    return rows.map(({ name }) => name);
  }

  async lockedJobs(before: Date): Promise<LockedJob[]> {
    const { rows } = await this.#pool.query<{ id: string; name: string; key: string | null }>(
      `select id, name, data ->> 'uniqueKey' as key from ${TABLE} where locked_at <= $1`,
      [before],
    );
    return rows.map(({ id, name, key }) => ({ id, name, uniqueKey: key ?? undefined }));
  }

  async endLock(id: string): Promise<void> {
    await this.#pool.query(`update ${TABLE} set locked_at = 'epoch' where id = $1 and locked_at is not null`, [id]);
  }

  async counts(): Promise<StoredJobCounts[]> {
    const { rows } = await this.#pool.query<CountsRow>(COUNTS);
    return rows.map(({ oldest, ...counts }) => ({ ...counts, oldestWaitingSince: oldest ?? undefined }));
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  #newRepository(ensureSchema: boolean): PostgresJobRepository {
    return new PostgresJobRepository({ pool: this.#pool, tableName: TABLE, ensureSchema });
  }
}
