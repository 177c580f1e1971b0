import type { SleepSession, SleepSummary } from '@healthd/schemas';

/** Wake date with its counted session and all recorded sessions. */
export interface Night {
  date: string;
  summary: SleepSummary;
  /** `counts` is undefined if the service withholds which session counts. */
  sessions: { session: SleepSession; counts: boolean | undefined }[];
}

/** Groups sessions by night, counted sessions first. */
export function nightsOf(summaries: readonly SleepSummary[], sessions: readonly SleepSession[]): Night[] {
  return summaries.map((summary) => {
    const own = sessions
      .filter(({ wake_date }) => wake_date === summary.date)
      .map((session) => ({ session, counts: countsFor(session, summary) }));
    own.sort((a, b) => Number(b.counts) - Number(a.counts) || order(a.session, b.session));
    return { date: summary.date, summary, sessions: own };
  });
}

/** True if the summary has the session's source, start and end. Undefined if the summary withholds the source. */
function countsFor({ source, start_time, end_time }: SleepSession, summary: SleepSummary): boolean | undefined {
  if (summary.withheld?.includes(source.provider)) return undefined;
  const isSource = (['provider', 'source', 'device'] as const).every((part) => source[part] === summary.source[part]);
  const isNamed = summary.sessions?.some((one) => one.start_time === start_time && one.end_time === end_time);
  return isSource && isNamed === true;
}

function order(a: SleepSession, b: SleepSession): number {
  return Number(a.is_nap) - Number(b.is_nap) || (a.start_time < b.start_time ? -1 : 1);
}
