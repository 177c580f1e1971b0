import type { SessionFigures, StoredStage } from '../events/sleep-sessions.sql.js';
import type { ArchivedAs } from '../selection/sleep-days.js';
import type { SourceRow } from '../sources.js';

/** A stored night or nap with the figures that summaries show. */
export interface NightSession extends Omit<SessionFigures, Exclude<keyof SourceRow, 'source_id'>> {
  wake_date: string;
  /** UTC offset at waking in minutes: its own offset, or the nearest observed offset. */
  local_offset_minutes: number;
  /** Number of times awake for a minute or more; null if the stages do not distinguish waking from sleeping. */
  awakenings: number | null;
  /** How the summary counted the session when it was archived; null if the session is not archived. */
  archived_as: ArchivedAs | null;
  /** Null if no other session of the source overlaps this session. */
  overlapped_stages: StoredStage[] | null;
}

/** Figures that determine the length and the efficiency of a sleep. */
export type SleepFigures = Pick<
  NightSession,
  'start_at' | 'end_at' | 'asleep_seconds' | 'in_bed_seconds' | 'efficiency_percent'
>;

/** Returns the time asleep: the whole session if the source reports no times, null if it reports only time in bed. */
export function netSeconds(session: SleepFigures): number | null {
  return session.asleep_seconds ?? (session.in_bed_seconds === null ? wallClockSeconds(session) : null);
}

/** True if the session contains a time asleep. Some vendors send 0 for a sleep that they did not measure. */
export function hasSleepTime(session: Pick<SleepFigures, 'asleep_seconds' | 'in_bed_seconds'>): boolean {
  return session.asleep_seconds === null ? session.in_bed_seconds === null : session.asleep_seconds > 0;
}

/** Returns the seconds from start to end. */
export function wallClockSeconds(session: Pick<SleepFigures, 'start_at' | 'end_at'>): number {
  return (session.end_at.getTime() - session.start_at.getTime()) / 1000;
}

/**
 * Orders sessions of one source by start and content, never by database ids or order of arrival. Of sessions with the
 * same times, the longer sleep is first.
 */
export function compareContent<Session extends SleepFigures>(a: Session, b: Session): number {
  const byTime = a.start_at.getTime() - b.start_at.getTime() || a.end_at.getTime() - b.end_at.getTime();
  const byValue = byTime || (netSeconds(b) ?? -1) - (netSeconds(a) ?? -1);
  if (byValue !== 0) return byValue;
  const [one, other] = [contentOf(a), contentOf(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Returns the content of a session without its ids. */
function contentOf(session: SleepFigures): string {
  return JSON.stringify(
    Object.entries(session)
      .filter(([name]) => name !== 'id' && name !== 'source_id')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
