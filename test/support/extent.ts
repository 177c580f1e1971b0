import process from 'node:process';

/** True if repeating tests run in their long form, as in `npm run faults`. */
const IS_LONG = process.env.HEALTHD_TEST_EXTENT === 'long';

/** Selects a repetition count or size for `npm test` or for the long form. */
export function extent(short: number, long: number): number {
  return IS_LONG ? long : short;
}

/** Returns the number of runs of a property. PROPERTY_RUNS overrides it. */
export function propertyRuns(short: number, long: number): number {
  return Number(process.env.PROPERTY_RUNS ?? extent(short, long));
}
