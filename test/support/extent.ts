import process from 'node:process';

/** Whether tests that repeat themselves do so as often as they can find something: `npm run faults` says so. */
const IS_LONG = process.env.HEALTHD_TEST_EXTENT === 'long';

/** How often something is repeated, or how large it is: in `npm test`, and in the long form. */
export function extent(short: number, long: number): number {
  return IS_LONG ? long : short;
}

/** Runs of a property; PROPERTY_RUNS says another number for all of them. */
export function propertyRuns(short: number, long: number): number {
  return Number(process.env.PROPERTY_RUNS ?? extent(short, long));
}
