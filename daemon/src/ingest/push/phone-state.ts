import { ITEM_LIMITS, MAX_DELETED_RANGE_DAYS, MAX_PUSHED_DELETIONS } from '@healthd/model';
import { PROVIDERS } from '@healthd/providers';
import type { PhoneState } from '@healthd/schemas';
import type pg from 'pg';
import { pushedTypesOf } from '../../store/facts/index.js';
import { IS_REFUSED } from './waiting-batches.js';

/** Supported contents of a push, under the names that clients check. */
export const PUSH_FEATURES: readonly string[] = [
  'records',
  'sleep',
  'workouts',
  'deleted',
  'gzip',
  'idempotency_key',
  'device_id',
];

/** Number of batches per provider in a phone's report. */
const BATCHES = 5;

/** Counts of a run in the phone's report. */
const COUNTS = [
  'records_saved',
  'sleep_saved',
  'workouts_saved',
  'deleted',
  'not_found',
  'dropped_count',
  'ignored_count',
] as const;

interface BatchRow {
  batch_id: string;
  received_at: Date;
  ended_at: Date | null;
  status: string | null;
  metadata: Record<string, unknown> | null;
}

type Batch = PhoneState['providers'][number]['batches'][number];

/**
 * Reads the stored state of one phone and the outcome of its last batches. Contains no data of other phones, clouds or
 * files.
 */
export async function readPhoneState(
  pool: pg.Pool,
  user: { id: string; userKey: number },
  device: string,
  maxBytes: number,
): Promise<PhoneState> {
  const stored = await pushedTypesOf(pool, user.userKey, device);
  const providers = PROVIDERS.flatMap(({ id, push }) => (push ? [{ id, push }] : []));
  return {
    user_id: user.id,
    device_id: device === '' ? null : device,
    accepts: [...PUSH_FEATURES],
    limits: {
      max_body_bytes: maxBytes,
      max_deletions: MAX_PUSHED_DELETIONS,
      max_deleted_range_days: MAX_DELETED_RANGE_DAYS,
      max_sessions_of_night: ITEM_LIMITS.sessionsOfNight,
      max_stages_of_night: ITEM_LIMITS.stagesOfNight,
      max_readings_of_instant: ITEM_LIMITS.readingsOfInstant,
      max_sessions_of_second: ITEM_LIMITS.sessionsOfSecond,
      max_parts_of_workout: ITEM_LIMITS.partsOfWorkout,
      max_sources: ITEM_LIMITS.sourcesOfProvider,
    },
    providers: await Promise.all(
      providers.map(async ({ id, push }) => ({
        provider: id,
        is_stopped: await isStopped(pool, user.userKey, id),
        record_types: [...push.recordTypes],
        stored: stored
          .filter(({ provider }) => provider === id)
          .map(({ type, ids, newestAt }) => ({ type, ids, newest: newestAt.toISOString() })),
        batches: await lastBatches(pool, user.userKey, id, device),
      })),
    ),
  };
}

async function isStopped(pool: pg.Pool, userKey: number, provider: string): Promise<boolean> {
  const { rows } = await pool.query<{ stopped: boolean }>(
    `select ${IS_REFUSED} as stopped from (select $1::bigint as user_key, $2::text as provider) b`,
    [userKey, provider],
  );
  return rows[0]?.stopped === true;
}

async function lastBatches(pool: pg.Pool, userKey: number, provider: string, device: string): Promise<Batch[]> {
  const { rows } = await pool.query<BatchRow>(
    `select b.batch_id, b.received_at, r.ended_at, r.status, r.metadata
       from device_batch b left join sync_run r on r.run_id = b.batch_id::text
      where b.user_key = $1 and b.provider = $2 and b.device = $3 order by b.seq desc limit ${BATCHES}`,
    [userKey, provider, device],
  );
  return rows.map(batchOf);
}

function batchOf({ batch_id, received_at, ended_at, status, metadata }: BatchRow): Batch {
  const counts: Record<string, number> = {};
  for (const name of COUNTS) {
    const count = metadata?.[name];
    if (typeof count === 'number') counts[name] = count;
  }
  return {
    batch_id,
    received_at: received_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    status: (status ?? 'queued') as Batch['status'],
    reason: typeof metadata?.reason === 'string' ? metadata.reason : null,
    counts,
    codes: codesOf(metadata),
  };
}

/** Batches from before 2026-11-28 list only their first rejected items. */
function codesOf(metadata: BatchRow['metadata']): Record<string, number> {
  const counted = metadata?.rejected_codes;
  if (typeof counted === 'object' && counted !== null) return counted as Record<string, number>;
  const codes: Record<string, number> = {};
  for (const { code } of (metadata?.rejected ?? []) as { code?: unknown }[]) {
    if (typeof code === 'string') codes[code] = (codes[code] ?? 0) + 1;
  }
  return codes;
}
