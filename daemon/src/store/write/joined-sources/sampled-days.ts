import { dayNumber, MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import { loadArchivedBefore } from '../../facts/archived/minute-store.js';
import { OffsetTimeline } from '../../facts/offsets/offset-timeline.js';
import { loadTimeline } from '../../facts/offsets/timeline-rows.js';

/** A day with samples of one series and source that are not archived. */
export interface SampledDay {
  typeId: number;
  sourceId: number;
  day: number;
  count: number;
}

/** Days with samples by source, newest first, and the offsets around them, read once. */
export interface SampledDays {
  days: SampledDay[];
  timeline: OffsetTimeline;
}

/** Reads the sources' days with their number of samples that are not archived. */
export async function loadSampledDays(
  client: pg.ClientBase,
  userKey: number,
  sourceIds: readonly number[],
): Promise<SampledDays> {
  const before = await loadArchivedBefore(client, userKey);
  const { rows } = await client.query<Omit<SampledDay, 'day'> & { date: string }>(
    `select type_id as "typeId", source_id as "sourceId", local_date as date, sample_count as count from day_value
      where user_key = $1 and source_id = any ($2::int[]) and sample_count > 0 order by local_date desc`,
    [userKey, sourceIds],
  );
  const days = rows
    .map(({ date, ...row }) => ({ ...row, day: dayNumber(date) as number }))
    .filter(({ day }) => before === undefined || day > before);
  const [newest, oldest] = [days[0], days.at(-1)];
  if (!newest || !oldest) return { days, timeline: new OffsetTimeline() };
  const timeline = await loadTimeline(client, userKey, oldest.day * MS_PER_DAY, (newest.day + 1) * MS_PER_DAY);
  return { days, timeline };
}
