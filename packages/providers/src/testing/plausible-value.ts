import { brokenBound } from '@healthd/model';

/** Returns a number that a series can have after conversion. */
export function plausibleValue(typeId: number, convert: (value: number) => number): number {
  const value = [1, 20, 40, 100, 0.4, 0.001].find((one) => brokenBound(typeId, convert(one)) === undefined);
  if (value === undefined) throw new Error(`no plausible value for series ${typeId}`);
  return value;
}
