import { localDayNumber, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, NIGHT_SECONDS } from '@healthd/model';

const EARLIEST_MIDPOINT_MS = 9 * MS_PER_HOUR;
const LATEST_MIDPOINT_MS = 20 * MS_PER_HOUR;

/**
 * Maximum distance of a session that decides whether another session is a nap: two calendar days plus 26 hours between
 * two time zones.
 */
export const NAP_REACH_MS = 2 * MS_PER_DAY + 26 * MS_PER_HOUR;

/** Facts that distinguish a nap from a night; `offsetMinutes` determines the session's local time. */
export interface NapCandidate {
  startMs: number;
  endMs: number;
  offsetMinutes: number;
  asleepSeconds?: number;
}

/**
 * Decides whether a session is a nap, for sources that do not flag naps. A nap has less than three hours of sleep, and
 * its middle is between 09:00 and 20:00. Also, a session of three hours or more must have ended on the same or the
 * previous local date. A night worker's only sleep is therefore not a nap. A session with only time in bed counts as a
 * night.
 * @param nightDays {@link nightDaysOf} the source's sessions
 */
export function isNap(session: NapCandidate, nightDays: ReadonlySet<number>): boolean {
  if (session.asleepSeconds === undefined || session.asleepSeconds >= NIGHT_SECONDS) return false;
  const middleMs = (session.startMs + session.endMs) / 2 + session.offsetMinutes * MS_PER_MINUTE;
  const timeOfDayMs = ((middleMs % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY;
  if (timeOfDayMs < EARLIEST_MIDPOINT_MS || timeOfDayMs > LATEST_MIDPOINT_MS) return false;
  const date = wakeDay(session);
  return nightDays.has(date) || nightDays.has(date - 1);
}

/** Returns the local end days of sessions that are too long for a nap. */
export function nightDaysOf(sessions: readonly NapCandidate[]): Set<number> {
  const days = new Set<number>();
  for (const session of sessions) if ((session.asleepSeconds ?? 0) >= NIGHT_SECONDS) days.add(wakeDay(session));
  return days;
}

/** Returns the local day on which a session ends. */
export function wakeDay({ endMs, offsetMinutes }: Pick<NapCandidate, 'endMs' | 'offsetMinutes'>): number {
  return localDayNumber(endMs, offsetMinutes);
}
