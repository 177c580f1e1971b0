import type { DateOrInstant, Envelope, SleepSummary } from '@healthd/schemas';
import type { Priorities } from '../../priorities/index.js';
import { dayBounds, daysAfter } from '../bounds.js';
import { Cursors, pageEnvelope, pageOfAll } from '../page.js';
import { tenths, wholeOrNull } from '../presentation.js';
import { type SummarySource, sourceOrNull } from '../sources.js';
import { joinSessions } from './night.js';
import { FIGURE_TYPES, figure, type NightFigures, readNightFigures } from './night-figures.js';
import { type Nights, readNights } from './night-sessions.js';

export interface SleepSummaryParams {
  start: DateOrInstant;
  end: DateOrInstant;
  cursor?: string;
  limit: number;
}

/** Reads one row per local date of waking, each group of figures from one source. */
export async function readSleepSummary(
  { pool, priorities: store }: SummarySource,
  userKey: number,
  params: SleepSummaryParams,
): Promise<Envelope<SleepSummary>> {
  const { start, end, limit } = params;
  const bounds = dayBounds({ start, end, endName: 'end_date' });
  const cursors = new Cursors(['date'], { route: 'sleep summary', userKey, filters: [] });
  const position = cursors.decode(params.cursor);
  const priorities: Priorities = await store.current();
  const nights = await readNights(pool, userKey, bounds, priorities);
  const days = nights.days.filter(({ date }) => date >= bounds.fromDate && date < bounds.beforeDate);
  const page = pageOfAll(days, limit, position, cursors, (day) => [day.date]);
  const [first, last] = [page.rows[0], page.rows.at(-1)];
  const figures =
    first && last
      ? await readNightFigures(pool, userKey, {
          nights,
          fromDate: first.date,
          beforeDate: daysAfter(last.date, 1),
          priorities,
          of: 'sleep',
        })
      : [];
  const byDate = new Map(figures.map((one) => [one.date, one]));
  return pageEnvelope(page, ({ date }) => sleepSummary(byDate.get(date)!, nights), {
    start,
    end,
    totalCount: days.length,
  });
}

/** Returns the row of one date with sessions. */
export function sleepSummary(figures: NightFigures, { sources }: Nights): SleepSummary {
  const { date, day, groups } = figures;
  const [sleep, naps] = [day?.sleep.winner, day?.naps.winner];
  const sourceOf = (sourceId: number | undefined) =>
    sourceOrNull(sourceId === undefined ? undefined : sources.get(sourceId));
  const hasNight = sleep !== undefined;
  const { HEART_RATE, SDNN, RMSSD, OXYGEN, RESPIRATION } = FIGURE_TYPES;
  // Shows no readings on a date with only naps, because readings belong to the night.
  const measured = (group: Parameters<typeof figure>[1], typeId: number) =>
    hasNight ? figure(figures, group, typeId) : null;
  const measuredBy = (group: Parameters<typeof figure>[1]) =>
    hasNight ? sourceOf(groups[group].winner?.sourceId) : null;
  const lead = sourceOf(sleep?.sourceId ?? naps?.sourceId);
  if (!lead) throw new Error(`no source of the sleep on ${date}`);
  return {
    date,
    source: lead,
    sources: {
      sleep: sourceOf(sleep?.sourceId),
      naps: sourceOf(naps?.sourceId),
      heart_rate: measuredBy('heart_rate'),
      hrv: measuredBy('hrv'),
      oxygen_saturation: measuredBy('oxygen_saturation'),
      respiratory_rate: measuredBy('respiratory_rate'),
    },
    ...joinSessions({ main: sleep?.sessions ?? [], naps: naps?.sessions ?? [] }),
    avg_heart_rate_bpm: wholeOrNull(measured('heart_rate', HEART_RATE)),
    avg_hrv_sdnn_ms: tenths(measured('hrv', SDNN)),
    avg_hrv_rmssd_ms: tenths(measured('hrv', RMSSD)),
    avg_respiratory_rate: measured('respiratory_rate', RESPIRATION),
    avg_spo2_percent: tenths(measured('oxygen_saturation', OXYGEN)),
  };
}
