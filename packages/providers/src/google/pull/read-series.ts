import { localDayNumber, MS_PER_HOUR, type ReplacementRecord, type SampleRecord } from '@healthd/model';
import { VendorError } from '../../cloud/index.js';
import type { SeriesType } from './data-type.js';
import { wholeHours } from './hours.js';
import type { LocalDays } from './local-days.js';
import { operationOf } from './modes.js';
import { samplesOfRollUp } from './point-samples.js';
import { readPointSamples, startsIn } from './read-point-samples.js';
import { readDailyRollUps, readRollUps } from './read-roll-ups.js';
import { replacedDays, replacedSamples } from './replaced.js';
import type { SeriesReading } from './series-reading.js';
import { isDayWise } from './windows.js';

/** The vendor's reason for an unsupported operation. */
const NOT_OFFERED = 'UNSUPPORTED_DATA_TYPE_ACTION';

/**
 * Reads the samples of a type in a window, and the data that they replace. Adds samples of the fallback types only on
 * local dates without a value: the vendor's nightly mean counts if no reading of the night exists.
 * @param types type to read, followed by its fallbacks, best first
 * @throws VendorError
 */
export async function readSeries(
  types: readonly [SeriesType, ...SeriesType[]],
  reading: SeriesReading,
): Promise<(SampleRecord | ReplacementRecord)[]> {
  const { window, mode, days } = reading;
  const series = types.flatMap(({ values }) => values.map((value) => value.series));
  const samples: SampleRecord[] = [];
  for (const type of types) {
    const known = new Set(samples.map((sample) => dateOf(sample, days)));
    const read = await readOffered(type, reading);
    const unknownSamples = read.filter((sample) => !known.has(dateOf(sample, days)));
    reading.tally.superseded += read.length - unknownSamples.length;
    samples.push(...unknownSamples);
  }
  const replaced = isDayWise(types, mode)
    ? replacedDays(series, days.dayAt(window.startMs), days.dayAt(window.endMs - 1) + 1, days)
    : [replacedSamples(series, window)];
  return [...replaced, ...samples];
}

async function readOffered(type: SeriesType, reading: SeriesReading): Promise<SampleRecord[]> {
  if (!type.optional) return readType(type, reading);
  const asRequested = await ifOffered(readType(type, reading));
  if (asRequested || type.rollUpDays === undefined) return asRequested ?? [];
  return (await ifOffered(readHours(type, reading))) ?? [];
}

/** Returns undefined if the vendor does not support the operation for the type. */
async function ifOffered<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof VendorError && error.reason === NOT_OFFERED) return undefined;
    throw error;
  }
}

/** Returns the local date and series of a sample, by its own offset if it has one. */
function dateOf({ startMs, offsetMinutes, typeId }: SampleRecord, days: LocalDays): string {
  return `${typeId} ${offsetMinutes === undefined ? days.dayAt(startMs) : localDayNumber(startMs, offsetMinutes)}`;
}

/** Reads the samples of a type, by the mode's operation. */
async function readType(type: SeriesType, reading: SeriesReading): Promise<SampleRecord[]> {
  const { api, window, mode, days, tally } = reading;
  const operation = operationOf(type, mode);
  if (operation === 'rollUp') return readHours(type, reading);
  if (operation === 'dailyRollUp') {
    const [firstDay, endDay] = [days.dayAt(window.startMs), days.dayAt(window.endMs - 1) + 1];
    const windows = await readDailyRollUps(api, type.id, firstDay, endDay, days);
    return windows.flatMap((one) => samplesOfRollUp(type, one, days, tally));
  }
  const samples = await readPointSamples(type, operation, reading);
  const isEmpty = samples.length === 0 && operation === 'reconcile' && type.listWhenEmpty;
  return isEmpty ? readPointSamples(type, 'list', reading) : samples;
}

/** Reads roll-ups of whole hours and returns the samples that start in the window. */
async function readHours(type: SeriesType, { api, window, days, tally }: SeriesReading): Promise<SampleRecord[]> {
  const windows = await readRollUps(api, type.id, wholeHours(window), MS_PER_HOUR);
  return windows.flatMap((one) => samplesOfRollUp(type, one, days, tally)).filter(startsIn(window));
}
