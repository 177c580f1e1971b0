import { groupIntervals, kindOfSlot, MS_PER_DAY, NO_OFFSET } from '@healthd/model';
import type pg from 'pg';
import type { DirtyDays } from '../facts/dirty-days.js';
import type { TimelineChange } from '../facts/offsets/offset-days.js';
import { allocateRows, effectiveOffset, localDayOf } from '../facts/samples/sample-rows.js';

/** Samples are looked at in stretches of this length: bounds memory where much lies between two known offsets. */
const MOST_DAYS = 16;

/** A stretch of time, both ends included. */
export interface TimeWindow {
  fromMs: number;
  toMs: number;
}

/**
 * Stored samples without an offset that the addedSpans timeline places elsewhere: their dates before and after become stale.
 * The partial index `sample_without_offset` holds exactly these samples.
 */
export async function markMovedDaysDirty(
  client: pg.ClientBase,
  userKey: number,
  change: TimelineChange,
  dirtyDays: DirtyDays,
): Promise<void> {
  for (const window of await unplacedWithin(client, userKey, windowsOf(change))) {
    const { rows } = await client.query<{ type_id: number; source_id: number; slot: number; start_ms: number }>(
      `select type_id, source_id, slot, extract(epoch from start_at)::float8 * 1000 as start_ms
         from sample where user_key = $1 and offset_minutes is null
                       and start_at between to_timestamp($2::float8 / 1000) and to_timestamp($3::float8 / 1000)`,
      [userKey, window.fromMs, window.toMs],
    );
    const row = allocateRows(1);
    row.offsetMinutes[0] = NO_OFFSET;
    for (const sample of rows) {
      row.kind[0] = kindOfSlot(sample.slot);
      row.startMs[0] = Math.round(sample.start_ms);
      // Also within one date: the minutes of the day move with the clock.
      if (effectiveOffset(row, 0, change.before) === effectiveOffset(row, 0, change.after)) continue;
      dirtyDays.add(sample.type_id, sample.source_id, localDayOf(row, 0, change.before));
      dirtyDays.add(sample.type_id, sample.source_id, localDayOf(row, 0, change.after));
    }
  }
}

/** Joined stretches of time in which the addedSpans spans may place something anew. */
export function windowsOf({ before, after, addedSpans }: TimelineChange): TimeWindow[] {
  const reaches = addedSpans.map((span) => before.influenceOf(span, after.fallbackZone));
  return groupIntervals(reaches, ({ fromMs, toMs }) => [fromMs, toMs]).map(({ from, to }) => ({
    fromMs: from,
    toMs: to,
  }));
}

/** What of the windows can hold samples without an offset, in stretches. */
async function unplacedWithin(
  client: pg.ClientBase,
  userKey: number,
  windows: readonly TimeWindow[],
): Promise<TimeWindow[]> {
  if (windows.length === 0) return [];
  const { rows } = await client.query<{ first_ms: number | null; last_ms: number | null }>({
    name: 'records-unplaced-bounds',
    text: `select extract(epoch from min(start_at))::float8 * 1000 as first_ms,
                  extract(epoch from max(start_at))::float8 * 1000 as last_ms
             from sample where user_key = $1 and offset_minutes is null`,
    values: [userKey],
  });
  const { first_ms: firstMs, last_ms: lastMs } = rows[0] ?? {};
  if (firstMs == null || lastMs == null) return [];
  const stretches: TimeWindow[] = [];
  for (const window of windows) {
    const toMs = Math.min(window.toMs, Math.ceil(lastMs));
    for (let fromMs = Math.max(window.fromMs, Math.floor(firstMs)); fromMs <= toMs; ) {
      const untilMs = Math.min(fromMs + MOST_DAYS * MS_PER_DAY, toMs);
      stretches.push({ fromMs, toMs: untilMs });
      fromMs = untilMs + 1;
    }
  }
  return stretches;
}
