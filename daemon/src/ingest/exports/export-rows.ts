import type { ProviderId } from '@healthd/model';
import type { TimeRange } from '@healthd/providers';
import type pg from 'pg';
import { runLockIsHeld } from '../../platform/jobs/index.js';

export type ExportState = 'pending' | 'requested' | 'covered' | 'done' | 'empty' | 'failed' | 'cancelled';

/** One requested window of one data type. */
export interface ExportRow {
  runId: string;
  connectionId: string;
  dataType: string;
  fromAt: Date;
  toAt: Date;
  state: ExportState;
  askedAt: Date | null;
  requestedAt: Date | null;
  firstItemAt: Date | null;
  lastItemAt: Date | null;
  items: number;
  failures: number;
  clamps: number;
  error: string | null;
  nextLookAt: Date;
}

const COLUMNS = `e.run_id as "runId", e.connection_id as "connectionId", e.data_type as "dataType", e.from_at as "fromAt",
  e.to_at as "toAt", e.state, e.asked_at as "askedAt", e.requested_at as "requestedAt",
  e.first_item_at as "firstItemAt", e.last_item_at as "lastItemAt", e.items, e.failures, e.clamps, e.error,
  e.next_look_at as "nextLookAt"`;

/** A window to request. */
export interface PlannedExport {
  dataType: string;
  delivered: string;
  window: TimeRange;
}

export async function insertExports(
  client: pg.ClientBase,
  { runId, connectionId, at }: { runId: string; connectionId: string; at: Date },
  planned: readonly PlannedExport[],
): Promise<void> {
  await client.query(
    `insert into vendor_export (run_id, connection_id, data_type, delivered_as, from_at, to_at, next_look_at)
     select $1, $2, data_type, delivered, to_timestamp(start_ms / 1000), to_timestamp(end_ms / 1000), $7
       from unnest($3::text[], $4::text[], $5::float8[], $6::float8[]) as planned (data_type, delivered, start_ms, end_ms)`,
    [
      runId,
      connectionId,
      planned.map(({ dataType }) => dataType),
      planned.map(({ delivered }) => delivered),
      planned.map(({ window }) => window.startMs),
      planned.map(({ window }) => window.endMs),
      at,
    ],
  );
}

/** Returns the windows of a run, newest first, then by data type. */
export async function exportsOfRun(client: pg.Pool | pg.ClientBase, runId: string): Promise<ExportRow[]> {
  const { rows } = await client.query<ExportRow>(
    `select ${COLUMNS} from vendor_export e where e.run_id = $1 order by e.from_at desc, e.data_type`,
    [runId],
  );
  return rows;
}

/**
 * Returns the windows that the vendor has accepted since the given time, with their data types. The vendor rejects a
 * second request for them.
 */
export async function takenWindows(
  client: pg.Pool | pg.ClientBase,
  connectionId: string,
  since: Date,
): Promise<{ dataType: string; startMs: number; endMs: number }[]> {
  const { rows } = await client.query<{ dataType: string; startMs: number; endMs: number }>(
    `select data_type as "dataType", extract(epoch from from_at)::float8 * 1000 as "startMs",
            extract(epoch from to_at)::float8 * 1000 as "endMs"
       from vendor_export
      where connection_id = $1 and asked_at >= $2
        and (state in ('requested', 'covered', 'done', 'empty') or state = 'cancelled' and requested_at is not null)`,
    [connectionId, since],
  );
  return rows;
}

/** Returns the connection's open history run, or the last history run. */
export async function latestExportRun(
  client: pg.Pool | pg.ClientBase,
  connectionId: string,
): Promise<{ runId: string; isOpen: boolean; status: string; metadata: Record<string, unknown> } | undefined> {
  const { rows } = await client.query<{
    runId: string;
    isOpen: boolean;
    status: string;
    metadata: Record<string, unknown>;
  }>(
    `select r.run_id as "runId", r.ended_at is null as "isOpen", r.status, r.metadata
       from sync_run r
      where r.source = 'backfill' and r.metadata ->> 'connection_id' = $1::text
        and r.user_key = (select user_key from connection where id = $1::uuid)
      order by r.ended_at is null desc, r.created_at desc limit 1`,
    [connectionId],
  );
  return rows[0];
}

/** Changes to a window. */
export type ExportChange = Partial<
  Pick<
    ExportRow,
    'state' | 'askedAt' | 'requestedAt' | 'fromAt' | 'failures' | 'clamps' | 'error' | 'nextLookAt' | 'lastItemAt'
  >
>;

const COLUMN_OF: Readonly<Record<keyof ExportChange, string>> = {
  state: 'state',
  askedAt: 'asked_at',
  requestedAt: 'requested_at',
  fromAt: 'from_at',
  failures: 'failures',
  clamps: 'clamps',
  error: 'error',
  nextLookAt: 'next_look_at',
  lastItemAt: 'last_item_at',
};

/** Changes a window, unless its run was cancelled. */
export async function changeExport(
  client: pg.Pool | pg.ClientBase,
  { runId, dataType, fromAt }: Pick<ExportRow, 'runId' | 'dataType' | 'fromAt'>,
  change: ExportChange,
): Promise<void> {
  const entries = Object.entries(change) as [keyof ExportChange, unknown][];
  const sets = entries.map(([name], at) => `${COLUMN_OF[name]} = $${at + 4}`);
  await client.query(
    `update vendor_export set ${sets.join(', ')}
      where run_id = $1 and data_type = $2 and from_at = $3 and state <> 'cancelled'`,
    [runId, dataType, fromAt, ...entries.map(([, value]) => value)],
  );
}

/** Sets the open windows of a run to one final state. */
export async function endExports(
  client: pg.Pool | pg.ClientBase,
  runId: string,
  { state, error }: { state: 'failed' | 'cancelled'; error?: string },
): Promise<void> {
  await client.query(
    `update vendor_export set state = $2, error = coalesce($3, error)
      where run_id = $1 and state in ('pending', 'requested')`,
    [runId, state, error ?? null],
  );
}

/**
 * Returns connections without a job that have a due window, or whose consent had no follow-up because the process
 * crashed.
 */
export async function connectionsWithoutJob(
  pool: pg.Pool,
  jobName: string,
  { providers, now, limit }: { providers: readonly ProviderId[]; now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from (
       select e.connection_id as id, min(e.next_look_at) as since
         from vendor_export e join sync_run r using (run_id)
        where r.ended_at is null
          and (e.state in ('pending', 'requested') and e.next_look_at <= $2
               -- The process died before it ended the run.
               or not exists (select from vendor_export o
                               where o.run_id = e.run_id and o.state in ('pending', 'requested')))
        group by 1
       union all
       select c.id, c.account_checked_at from connection c
        where c.provider = any ($4::text[]) and c.status = 'active' and c.backfill_started_at is null
          and c.consented_at is not null and c.account_checked_at > $2::timestamptz - interval '1 day'
          and c.account_checked_at < $2::timestamptz - interval '1 minute'
     ) waiting
     where not ${runLockIsHeld("$1 || ' connection ' || id")}
     order by since limit $3`,
    [jobName, now, limit, providers],
  );
  return rows.map(({ id }) => id);
}
