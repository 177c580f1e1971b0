import { localDayNumber, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, SECONDS_PER_HOUR } from '@healthd/model';

const NAP_UNDER_SECONDS = 3 * SECONDS_PER_HOUR;
const EARLIEST_MIDPOINT_MS = 9 * MS_PER_HOUR;
const LATEST_MIDPOINT_MS = 20 * MS_PER_HOUR;

/**
 * How far in time a session that decides may lie from the one that it decides on: two calendar days, and 26 hours between
 * the clocks of the two places.
 */
export const NAP_REACH_MS = 2 * MS_PER_DAY + 26 * MS_PER_HOUR;

/** What distinguishes a nap from a night; `offsetMinutes` places it on the wall clock. */
export interface NapCandidate {
  startMs: number;
  endMs: number;
  offsetMinutes: number;
  asleepSeconds?: number;
}

/**
 * For sources without a flag of their own: under three hours of sleep, its middle between 09:00
 * and 20:00, and a session of three hours or more that ended on the same local date or the one before. A night worker's
 * only sleep is no nap. Time in bed alone is neither, so it counts as a night.
 * @param nightDays {@link nightDaysOf} the sessions of its source
 */
export function isNap(session: NapCandidate, nightDays: ReadonlySet<number>): boolean {
  if (session.asleepSeconds === undefined || session.asleepSeconds >= NAP_UNDER_SECONDS) return false;
  const middleMs = (session.startMs + session.endMs) / 2 + session.offsetMinutes * MS_PER_MINUTE;
  const timeOfDayMs = ((middleMs % MS_PER_DAY) + MS_PER_DAY) % MS_PER_DAY;
  if (timeOfDayMs < EARLIEST_MIDPOINT_MS || timeOfDayMs > LATEST_MIDPOINT_MS) return false;
  const date = wakeDay(session);
  return nightDays.has(date) || nightDays.has(date - 1);
}

/** Local days on which sessions end that are too long for a nap. */
export function nightDaysOf(sessions: readonly NapCandidate[]): Set<number> {
  const days = new Set<number>();
  for (const session of sessions) if ((session.asleepSeconds ?? 0) >= NAP_UNDER_SECONDS) days.add(wakeDay(session));
  return days;
}

/** Local day on which a session ends. */
export function wakeDay({ endMs, offsetMinutes }: Pick<NapCandidate, 'endMs' | 'offsetMinutes'>): number {
  return localDayNumber(endMs, offsetMinutes);
}
