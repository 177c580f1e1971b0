import { formatOffset, round } from '@healthd/model';

/** Formats an instant as in responses: UTC with `Z`, and six fractional digits only if it has a fraction. */
export function instantText(instant: Date | number): string {
  const text = new Date(instant).toISOString();
  return text.endsWith('.000Z') ? text.replace('.000Z', 'Z') : text.replace('Z', '000Z');
}

/** Formats an offset as `±HH:MM`; null if unknown. */
export function offsetText(minutes: number | null): string | null {
  return minutes === null ? null : formatOffset(minutes);
}

/** Rounds a sum to hide floating-point errors (0.1 + 0.2 is 0.3). */
export function sumValue(sum: number): number {
  return round(sum, 6);
}

/** Rounds to a whole number, halves away from zero; null if null. */
export function wholeOrNull(value: number | null): number | null {
  return value === null ? null : round(value);
}

/** Rounds to one decimal; null if null. */
export function tenths(value: number | null): number | null {
  return value === null ? null : round(value, 1);
}

/** Converts seconds to whole minutes; null if null. */
export function minutesOrNull(seconds: number | null): number | null {
  return seconds === null ? null : round(seconds / 60);
}
