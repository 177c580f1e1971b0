import { localDayNumber, type ReplacementRecord, type SampleRecord } from '@healthd/model';
import { VendorError } from '../../cloud/index.js';
import type { SeriesType } from './data-type.js';
import type { LocalDays } from './local-days.js';
import { readHours, readType } from './read-type.js';
import { replacedDays, replacedSamples } from './replaced.js';
import type { SeriesReading } from './series-reading.js';
import { isDayWise } from './windows.js';

/** The vendor's word for an operation that a type does not have. */
const NOT_OFFERED = 'UNSUPPORTED_DATA_TYPE_ACTION';

/**
 * Samples of a type in a window, and what they replace. Of further types only what is on local dates without any
 * value so far: the vendor's average of a night counts where no reading of that night came.
 * @param types the one that is read, then those that replace it, best first
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
    const wanted = read.filter((sample) => !known.has(dateOf(sample, days)));
    reading.tally.superseded += read.length - wanted.length;
    samples.push(...wanted);
  }
  const replaced = isDayWise(types, mode)
    ? replacedDays(series, days.dayAt(window.startMs), days.dayAt(window.endMs - 1) + 1, days)
    : [replacedSamples(series, window)];
  return [...replaced, ...samples];
}

async function readOffered(type: SeriesType, reading: SeriesReading): Promise<SampleRecord[]> {
  if (!type.optional) return readType(type, reading);
  const asWanted = await ifOffered(readType(type, reading));
  if (asWanted || type.rollUpDays === undefined) return asWanted ?? [];
  return (await ifOffered(readHours(type, reading))) ?? [];
}

/** Undefined where the vendor does not have the operation for the type. */
async function ifOffered<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof VendorError && error.reason === NOT_OFFERED) return undefined;
    throw error;
  }
}

/** The local date of a sample and its series, by the sample's own offset where it has one. */
function dateOf({ startMs, offsetMinutes, typeId }: SampleRecord, days: LocalDays): string {
  return `${typeId} ${offsetMinutes === undefined ? days.dayAt(startMs) : localDayNumber(startMs, offsetMinutes)}`;
}
