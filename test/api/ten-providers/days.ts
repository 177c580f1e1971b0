import { fromDayNumber, MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';

/** The user's time zones before and after the flight. Neither zone has daylight saving time. */
export const HOME = { zone: 'Africa/Lagos', offsetMinutes: 60 } as const;
export const AWAY = { zone: 'America/Bogota', offsetMinutes: -300 } as const;

/** Number of the first reported day. All reported days are complete and younger than a week. */
const FIRST_DAY = Math.floor(Date.now() / MS_PER_DAY) - 5;

/** The reported days: two at home, the flight, one away. */
export type DayOfLife = 1 | 2 | 3 | 4;
export const DAYS: readonly DayOfLife[] = [1, 2, 3, 4];

/** Returns the date of a day, `YYYY-MM-DD`. 0 is the day before the first reported day. */
export function dateOf(day: DayOfLife | 0): string {
  return fromDayNumber(FIRST_DAY - 1 + day);
}

/** Returns the user's time zone from the morning of a day on. The flight lands in the night before the third day. */
export function placeOf(day: DayOfLife | 0): typeof HOME | typeof AWAY {
  return day < 3 ? HOME : AWAY;
}

/** Returns an instant in Unix milliseconds. @param clock UTC time, `HH:MM` or `HH:MM:SS` */
export function utc(day: DayOfLife | 0, clock: string): number {
  return Date.parse(`${dateOf(day)}T${clock.length === 5 ? `${clock}:00` : clock}Z`);
}

/** Returns the local midnight of a day. */
export function midnight(day: DayOfLife): number {
  return utc(day, '00:00') - placeOf(day).offsetMinutes * MS_PER_MINUTE;
}

export function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** Date range that covers all days. */
export const RANGE = `start_date=${dateOf(0)}&end_date=${fromDayNumber(FIRST_DAY + 5)}&limit=100`;
