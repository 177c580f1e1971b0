import { MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import type { PolarPeriod } from './wire-types.js';

/** Formats local time this many minutes ahead of UTC as `YYYY-MM-DDTHH:MM:SS`. */
export function clockText(ms: number, offsetMinutes: number): string {
  return new Date(ms + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 19);
}

/** Returns the local date on which a sleep analysis period starts. */
export function localDateOf({ period_start_time: start, sleep_timezone_offset_minutes: offset }: PolarPeriod): string {
  return clockText(Date.parse(`${start}Z`), offset).slice(0, 10);
}

export function daysBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * MS_PER_DAY).toISOString().slice(0, 10);
}

/** Returns the same day this many months earlier, or the month's last day if the month is too short. */
export function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastOfMonth))).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / MS_PER_DAY;
}

/** Formats ISO 8601 such as `PT4H6M30S`, without zero parts. */
export function durationText(seconds: number): string {
  const whole = Math.floor(seconds / 60);
  const rest = Number((seconds - whole * 60).toFixed(3));
  const parts = [
    [Math.floor(whole / 60), 'H'],
    [whole % 60, 'M'],
    [rest, 'S'],
  ] as const;
  const text = parts.flatMap(([amount, unit]) => (amount > 0 ? `${amount}${unit}` : [])).join('');
  return `PT${text || '0S'}`;
}
