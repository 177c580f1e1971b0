import { type SampleRecord, sourceKey } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';
import { isObject } from '../../payload/index.js';
import type { SeriesType } from './data-type.js';
import type { LocalDays } from './local-days.js';
import { readsSources } from './modes.js';
import { samplesOfPoint } from './point-samples.js';
import { dateFilter, type PointOperation, readPoints, startFilter } from './read-points.js';
import type { SeriesReading } from './series-reading.js';
import { MERGED_SOURCE, Sources } from './source.js';

/** Reads the samples of a type point by point. */
export async function readPointSamples(
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
  const inWindow = type.form === 'daily' ? samples : samples.filter(startsIn(window));
  return type.form === 'session' ? addedUp(inWindow) : inWindow;
}

function filterOf(type: SeriesType, window: TimeRange, days: LocalDays): string {
  if (type.form !== 'daily') return startFilter(type.id, type.form, window);
  return dateFilter(type.id, days.dayAt(window.startMs), days.dayAt(window.endMs - 1) + 1);
}

/** True if a sample starts in the window. */
export function startsIn({ startMs, endMs }: TimeRange): (sample: SampleRecord) => boolean {
  return (sample) => sample.startMs >= startMs && sample.startMs < endMs;
}

/**
 * Adds up samples with the same start, such as two drinks logged for the same minute, because the start is the
 * identity.
 */
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
