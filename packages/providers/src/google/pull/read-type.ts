import { MS_PER_HOUR, type SampleRecord } from '@healthd/model';
import type { SeriesType } from './data-type.js';
import { wholeHours } from './hours.js';
import { operationOf } from './modes.js';
import { samplesOfRollUp } from './point-samples.js';
import { readPointSamples, startsIn } from './read-point-samples.js';
import { readDailyRollUps, readRollUps } from './read-roll-ups.js';
import type { SeriesReading } from './series-reading.js';

/** Reads the samples of a type, by the mode's operation. */
export async function readType(type: SeriesType, reading: SeriesReading): Promise<SampleRecord[]> {
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

/** Falls back to hourly sums if the vendor rejects points. */
export async function readHours(
  type: SeriesType,
  { api, window, days, tally }: SeriesReading,
): Promise<SampleRecord[]> {
  const windows = await readRollUps(api, type.id, wholeHours(window), MS_PER_HOUR);
  return windows.flatMap((one) => samplesOfRollUp(type, one, days, tally)).filter(startsIn(window));
}
