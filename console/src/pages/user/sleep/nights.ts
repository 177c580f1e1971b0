import type { SleepSession, SleepSummary } from '@healthd/schemas';
import { type Dated, formatRecorded, type ZoneOfRecord } from '../../../record-zone.js';

/** A date of waking with what counts for it and everything that was recorded. */
export interface Night {
  date: string;
  summary: SleepSummary;
  sessions: { session: SleepSession; counts: boolean }[];
}

/** The sessions under the night to which they belong, those that count first. */
export function nightsOf(
  summaries: readonly SleepSummary[],
  sessions: readonly SleepSession[],
  zoneOf: ZoneOfRecord,
): Night[] {
  const counted = new Set(summaries.flatMap((summary) => sessions.filter((session) => countsFor(session, summary))));
  return summaries.map((summary) => {
    const own = sessions
      .map((session) => ({ session, counts: countsFor(session, summary) }))
      // What counts has the date that the service gave it.
      .filter(({ session, counts }) => counts || (!counted.has(session) && wakeDate(session, zoneOf) === summary.date));
    own.sort((a, b) => Number(b.counts) - Number(a.counts) || order(a.session, b.session));
    return { date: summary.date, summary, sessions: own };
  });
}

/** When a session ended, which is what dates it. */
export function wakingOf({ end_time, zone_offset }: SleepSession): Dated {
  return { instant: end_time, offset: zone_offset };
}

/** The local date on which a session ends. */
function wakeDate(session: SleepSession, zoneOf: ZoneOfRecord): string {
  return formatRecorded(wakingOf(session), zoneOf).slice(0, 10);
}

/** A night counts when the service's row of its date names it: the same source and the same start and end. */
function countsFor({ source, start_time, end_time }: SleepSession, summary: SleepSummary): boolean {
  const isSource = (['provider', 'source', 'device'] as const).every((part) => source[part] === summary.source[part]);
  const isNamed = summary.sessions?.some((one) => one.start_time === start_time && one.end_time === end_time);
  return isSource && isNamed === true;
}

function order(a: SleepSession, b: SleepSession): number {
  return Number(a.is_nap) - Number(b.is_nap) || (a.start_time < b.start_time ? -1 : 1);
}
