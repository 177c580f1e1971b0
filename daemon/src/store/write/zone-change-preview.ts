import { fromDayNumber, localDayNumber, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { sampleKind } from '../../platform/database/index.js';
import { loadConnectionZone } from '../facts/offsets/fallback-zone.js';
import { loadTimeline } from '../facts/offsets/timeline-rows.js';

const MS_PER_QUARTER = 900_000;
/** Number of days per read. Limits memory. */
const BATCH_DAYS = 92;

/** Number of local days that gain or lose items, with the first and last day. */
export interface ZoneChangePreview {
  count: number;
  firstDate?: string;
  lastDate?: string;
}

/** Counts the local days that would gain or lose items if the user had this zone setting. */
export async function previewZoneChange(
  client: pg.ClientBase,
  userKey: number,
  userZone: string | undefined,
): Promise<ZoneChangePreview> {
  const zone = userZone ?? (await loadConnectionZone(client, userKey));
  const days = new Set<number>();
  const bounds = await boundsWithoutOffset(client, userKey);
  if (!bounds) return { count: 0 };
  const now = await loadTimeline(client, userKey, bounds.firstMs, bounds.lastMs);
  const then = now.inZone(zone);
  for (let fromMs = bounds.firstMs; fromMs <= bounds.lastMs; fromMs += BATCH_DAYS * MS_PER_DAY) {
    const toMs = fromMs + BATCH_DAYS * MS_PER_DAY;
    for (const ms of await quartersWithoutOffset(client, userKey, fromMs, toMs)) {
      const [before, after] = [now, then].map((timeline) => localDayNumber(ms, timeline.offsetAt(ms)));
      if (before === undefined || after === undefined || before === after) continue;
      days.add(before).add(after);
    }
  }
  const sorted = [...days].sort((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return { count: 0 };
  return { count: days.size, firstDate: fromDayNumber(first), lastDate: fromDayNumber(last) };
}

/** Instants whose dates depend on the timeline: sample starts, and ends of sessions and workouts. */
const WITHOUT_OFFSET = `
  select start_at as at from sample where user_key = $1 and offset_minutes is null
     and not (${sampleKind()} = 1 and date_trunc('day', start_at, 'UTC') = start_at)
  union all select end_at from sleep_session where user_key = $1 and offset_minutes is null
  union all select end_at from workout where user_key = $1 and offset_minutes is null`;

async function boundsWithoutOffset(
  client: pg.ClientBase,
  userKey: number,
): Promise<{ firstMs: number; lastMs: number } | undefined> {
  const { rows } = await client.query<{ first_ms: number | null; last_ms: number | null }>(
    `select extract(epoch from min(at))::float8 * 1000 as first_ms, extract(epoch from max(at))::float8 * 1000 as last_ms
       from (${WITHOUT_OFFSET}) undated`,
    [userKey],
  );
  const { first_ms: firstMs = null, last_ms: lastMs = null } = rows[0] ?? {};
  return firstMs === null || lastMs === null ? undefined : { firstMs, lastMs };
}

async function quartersWithoutOffset(client: pg.ClientBase, userKey: number, fromMs: number, toMs: number) {
  const { rows } = await client.query<{ ms: number }>(
    `select distinct floor(extract(epoch from at) * 1000 / ${MS_PER_QUARTER})::float8 * ${MS_PER_QUARTER} as ms
       from (${WITHOUT_OFFSET}) undated
      where at >= to_timestamp($2::float8 / 1000) and at < to_timestamp($3::float8 / 1000)`,
    [userKey, fromMs, toMs],
  );
  return rows.map(({ ms }) => ms);
}
