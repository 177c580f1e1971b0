import { localDayNumber, MS_PER_HOUR, type ReplacementRecord, type SampleRecord, sourceKey } from '@healthd/model';
import type { Tally } from '../../cloud/index.js';
import { type PullMode, type TimeRange, type VendorApi, VendorError } from '../../cloud/index.js';
import { isObject } from '../../device-push/index.js';
import type { SeriesType } from './data-type.js';
import { wholeHours } from './hours.js';
import type { LocalDays } from './local-days.js';
import { operationOf, readsSources } from './modes.js';
import { samplesOfPoint, samplesOfRollUp } from './point-samples.js';
import { dateFilter, type PointOperation, readPoints, startFilter } from './read-points.js';
import { readDailyRollUps, readRollUps } from './read-roll-ups.js';
import { replacedDays, replacedSamples } from './replaced.js';
import { MERGED_SOURCE, Sources } from './source.js';
import { isDayWise } from './windows.js';

/** The vendor's word for an operation that a type does not have. */
const NOT_OFFERED = 'UNSUPPORTED_DATA_TYPE_ACTION';

/** What one reading of samples works with. */
export interface SeriesReading {
  api: VendorApi;
  window: TimeRange;
  mode: PullMode;
  days: LocalDays;
  tally: Tally;
}

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

/** Where points are refused, the sums of hours are what the vendor has. */
async function readHours(type: SeriesType, { api, window, days, tally }: SeriesReading): Promise<SampleRecord[]> {
  const windows = await readRollUps(api, type.id, wholeHours(window), MS_PER_HOUR);
  return windows.flatMap((one) => samplesOfRollUp(type, one, days, tally)).filter(startsIn(window));
}

async function readPointSamples(
  type: SeriesType,
  operation: PointOperation,
  { api, window, mode, days, tally }: SeriesReading,
): Promise<SampleRecord[]> {
  const sources = new Sources();
  const perSource = readsSources(mode);
  const samples: SampleRecord[] = [];
  for await (const page of readPoints(api, type.id, operation, filterOf(type, window, days))) {
    for (const point of page) {
      const source =
        operation === 'list' && perSource && isObject(point) ? sources.of(point.dataSource) : MERGED_SOURCE;
      samples.push(...samplesOfPoint(type, point, source, days, tally));
    }
  }
  const wanted = type.form === 'daily' ? samples : samples.filter(startsIn(window));
  return type.form === 'session' ? addedUp(wanted) : wanted;
}

function filterOf(type: SeriesType, window: TimeRange, days: LocalDays): string {
  if (type.form !== 'daily') return startFilter(type.id, type.form, window);
  return dateFilter(type.id, days.dayAt(window.startMs), days.dayAt(window.endMs - 1) + 1);
}

function startsIn({ startMs, endMs }: TimeRange): (sample: SampleRecord) => boolean {
  return (sample) => sample.startMs >= startMs && sample.startMs < endMs;
}

/** Two glasses that were logged for the same minute are two glasses; a sample is known by its start. */
function addedUp(samples: readonly SampleRecord[]): SampleRecord[] {
  const sums = new Map<string, SampleRecord>();
  for (const sample of samples) {
    const key = `${sourceKey(sample.source)} ${sample.startMs}`;
    const known = sums.get(key);
    if (known) known.value += sample.value;
    else sums.set(key, { ...sample });
  }
  return [...sums.values()];
}

/** The local date of a sample and its series, by the sample's own offset where it has one. */
function dateOf({ startMs, offsetMinutes, typeId }: SampleRecord, days: LocalDays): string {
  return `${typeId} ${offsetMinutes === undefined ? days.dayAt(startMs) : localDayNumber(startMs, offsetMinutes)}`;
}
