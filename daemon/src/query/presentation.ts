import { formatOffset, round } from '@healthd/model';

/** An instant as answers show it: UTC with `Z`, and six digits of fraction only where there is one. */
export function instantText(instant: Date | number): string {
  const text = new Date(instant).toISOString();
  return text.endsWith('.000Z') ? text.replace('.000Z', 'Z') : text.replace('Z', '000Z');
}

/** `±HH:MM`, or null where the wall clock is not known. */
export function offsetText(minutes: number | null): string | null {
  return minutes === null ? null : formatOffset(minutes);
}

/** A sum without the last digits that adding doubles leaves behind (0.1 + 0.2 is 0.3). */
export function sumValue(sum: number): number {
  return round(sum, 6);
}

/** A whole number, halves away from zero; null stays null. */
export function wholeOrNull(value: number | null): number | null {
  return value === null ? null : round(value);
}

/** A number with one decimal; null stays null. */
export function tenths(value: number | null): number | null {
  return value === null ? null : round(value, 1);
}

/** Seconds as whole minutes; null stays null. */
export function minutesOrNull(seconds: number | null): number | null {
  return seconds === null ? null : round(seconds / 60);
}
