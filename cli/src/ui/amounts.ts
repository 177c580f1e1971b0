import { SECONDS_PER_HOUR } from '@healthd/model';

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats bytes in powers of 1000: `12.3 MB`. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.95 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${BYTE_UNITS[unit]}`;
}

/** Formats seconds: `0.4 s`, `42 s`, `3 min 05 s`, `2 h 10 min`. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < SECONDS_PER_HOUR) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / SECONDS_PER_HOUR)} h ${String(Math.floor((whole % SECONDS_PER_HOUR) / 60)).padStart(2, '0')} min`;
}

/** Formats a number with separators and at most this many decimals. */
export function numberText(value: number, decimals = 0): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: decimals });
}

/** Formats an amount with its noun: `1 user`, `3 users`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${numberText(count)} ${count === 1 ? noun : plural}`;
}
