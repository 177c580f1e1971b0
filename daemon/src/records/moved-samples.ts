import { NO_OFFSET } from '@healthd/model';
import type pg from 'pg';
import type { TimelineChange } from './offset-days.js';
import { type OffsetSpan, reachOf } from './offset-timeline.js';
import type { TouchedDays } from './rollups/touched-days.js';
import { allocateRows, effectiveOffset, localDayOf } from './samples/sample-rows.js';

/**
 * Stored samples without an offset that the grown timeline places elsewhere: their dates before and after become stale.
 * The partial index `sample_without_offset` holds exactly these samples.
 */
export async function touchMovedSamples(
  client: pg.ClientBase,
  userKey: number,
  change: TimelineChange,
  touched: TouchedDays,
): Promise<void> {
  const windows = windowsOf(change.grown);
  if (windows.length === 0) return;
  const { rows } = await client.query<{ type_id: number; source_id: number; kind: number; start_ms: number }>(
    `select s.type_id, s.source_id, s.kind, extract(epoch from s.start_at)::float8 * 1000 as start_ms
       from unnest($2::float8[], $3::float8[]) as w (from_ms, to_ms)
       join sample s on s.user_key = $1 and s.offset_minutes is null
                    and s.start_at between to_timestamp(w.from_ms / 1000) and to_timestamp(w.to_ms / 1000)`,
    [userKey, windows.map(({ fromMs }) => fromMs), windows.map(({ toMs }) => toMs)],
  );
  const row = allocateRows(1);
  row.offsetMinutes[0] = NO_OFFSET;
  for (const sample of rows) {
    row.kind[0] = sample.kind;
    row.startMs[0] = Math.round(sample.start_ms);
    // Also within one date: the minutes of the day move with the clock.
    if (effectiveOffset(row, 0, change.before) === effectiveOffset(row, 0, change.after)) continue;
    touched.add(sample.type_id, sample.source_id, localDayOf(row, 0, change.before));
    touched.add(sample.type_id, sample.source_id, localDayOf(row, 0, change.after));
  }
}

/** Joined stretches of time in which the grown spans may place something anew. */
export function windowsOf(spans: OffsetSpan[]): { fromMs: number; toMs: number }[] {
  const windows: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of spans.map(reachOf).sort((a, b) => a.fromMs - b.fromMs)) {
    const last = windows.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else windows.push({ fromMs, toMs });
  }
  return windows;
}
