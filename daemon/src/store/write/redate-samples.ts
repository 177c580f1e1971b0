import { groupIntervals, kindOfSlot, MS_PER_DAY, NO_OFFSET } from '@healthd/model';
import { CHANGE } from '../facts/change.js';
import { DirtyDays } from '../facts/dirty-days.js';
import type { TimelineChange } from '../decide/timeline.js';
import { allocateRows, effectiveOffset, localDayOf } from '../facts/samples/sample-rows.js';
import type { WriteContext } from '../facts/write-context.js';
import type { InstantSpan } from './batch-span.js';

/**
 * Returns the old and new dates of stored samples without an offset whose local time the extended timeline changes.
 * These dates must be recomputed. The partial index `sample_without_offset` contains exactly the samples without an
 * offset.
 */
export async function daysOfRedatedSamples(context: WriteContext, change: TimelineChange): Promise<DirtyDays> {
  const { client, userKey } = context;
  const days = new DirtyDays();
  for (const stretch of await stretchesWithoutOffset(context, changedSpans(change))) {
    const { rows } = await client.query<{ type_id: number; source_id: number; slot: number; start_ms: number }>(
      `select type_id, source_id, slot, extract(epoch from start_at)::float8 * 1000 as start_ms
         from sample where user_key = $1 and offset_minutes is null
                       and start_at between to_timestamp($2::float8 / 1000) and to_timestamp($3::float8 / 1000)`,
      [userKey, stretch.fromMs, stretch.toMs],
    );
    const row = allocateRows(1);
    row.offsetMinutes[0] = NO_OFFSET;
    for (const sample of rows) {
      row.kind[0] = kindOfSlot(sample.slot);
      row.startMs[0] = Math.round(sample.start_ms);
      // Includes changes within one date, because the minutes of the day change too.
      if (effectiveOffset(row, 0, change.before) === effectiveOffset(row, 0, change.after)) continue;
      days.add(sample.type_id, sample.source_id, localDayOf(row, 0, change.before), CHANGE.redated);
      days.add(sample.type_id, sample.source_id, localDayOf(row, 0, change.after), CHANGE.redated);
    }
  }
  return days;
}

/** Returns the merged spans, ends included, in which the added offsets may change local dates. */
export function changedSpans({ before, after, addedSpans }: TimelineChange): InstantSpan[] {
  const reaches = addedSpans.map((span) => before.influenceOf(span, after.fallbackZone));
  return groupIntervals(reaches, ({ fromMs, toMs }) => [fromMs, toMs]).map(({ from, to }) => ({
    fromMs: from,
    toMs: to,
  }));
}

/** Maximum length of the spans in which samples are read. Limits memory if two known offsets are far apart. */
const MOST_DAYS = 16;

/** Returns the parts of the spans that may contain samples without an offset. */
async function stretchesWithoutOffset(
  { client, userKey }: WriteContext,
  spans: readonly InstantSpan[],
): Promise<InstantSpan[]> {
  if (spans.length === 0) return [];
  const { rows } = await client.query<{ first_ms: number | null; last_ms: number | null }>({
    name: 'records-without-offset-bounds',
    text: `select extract(epoch from min(start_at))::float8 * 1000 as first_ms,
                  extract(epoch from max(start_at))::float8 * 1000 as last_ms
             from sample where user_key = $1 and offset_minutes is null`,
    values: [userKey],
  });
  const { first_ms: firstMs, last_ms: lastMs } = rows[0] ?? {};
  if (firstMs == null || lastMs == null) return [];
  const stretches: InstantSpan[] = [];
  for (const span of spans) {
    const toMs = Math.min(span.toMs, Math.ceil(lastMs));
    for (let fromMs = Math.max(span.fromMs, Math.floor(firstMs)); fromMs <= toMs; ) {
      const untilMs = Math.min(fromMs + MOST_DAYS * MS_PER_DAY, toMs);
      stretches.push({ fromMs, toMs: untilMs });
      fromMs = untilMs + 1;
    }
  }
  return stretches;
}
