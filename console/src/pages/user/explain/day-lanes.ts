import { MS_PER_MINUTE } from '@healthd/model';
import type { ActivityExplanation, TimeSeriesSample } from '@healthd/schemas';
import type { Lane } from '../../../components/chart/lanes.js';
import type { Range } from '../../../components/chart/plot.js';
import { formatValue } from '../../../components/chart/time-chart.js';
import { sourceName } from '../../../format.js';
import { formatRecorded } from '../../../record-zone.js';
import { unitName } from '../../../units.js';

export type ExplainedMetric = ActivityExplanation['metrics'][number];

/** Bucket length of the lanes. */
const BUCKET_MS = 15 * MS_PER_MINUTE;

/** Returns each source's samples on a local date. */
export function samplesOfDate(
  series: ReadonlyMap<string, readonly TimeSeriesSample[]>,
  date: string,
): Map<string, TimeSeriesSample[]> {
  const isOn = (sample: TimeSeriesSample) => formatRecorded(sample.timestamp, sample).startsWith(date);
  return new Map([...series].map(([source, samples]) => [source, samples.filter(isOn)]));
}

/** Returns one lane per source with its amounts; counted and other amounts have different colors. */
export function lanesOf(metric: ExplainedMetric, series: ReadonlyMap<string, readonly TimeSeriesSample[]>): Lane[] {
  const values = [...series.values()].flat().map(({ value }) => value);
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  return metric.candidates.flatMap(({ source_id, source, amount }, at) => {
    // Vendor terms withhold the source.
    if (amount === null) return [];
    const ranges = metric.ranges.filter((range) => range.source_id === source_id);
    const blocks = amounts(series.get(source_id)).map(({ from, to, value, clock }) => {
      const counted = ranges.some((range) => touches(range, from, to));
      return {
        from,
        to,
        look: counted ? 'counted' : 'spare',
        level: value / highest,
        title: `${clock}, ${formatValue(value)} ${unitName(metric.unit)}, ${counted ? 'counted' : 'not counted'}`,
      };
    });
    return [{ name: `${at + 1}. ${sourceName(source)}`, blocks }];
  });
}

/** Returns the ranges in which at least two sources have amounts. Joins adjacent buckets. */
export function overlapsOf(series: ReadonlyMap<string, readonly TimeSeriesSample[]>): Range[] {
  const counts = new Map<number, number>();
  for (const samples of series.values()) {
    for (const { from } of amounts(samples)) counts.set(from, (counts.get(from) ?? 0) + 1);
  }
  const starts = [...counts].filter(([, count]) => count > 1).map(([from]) => from);
  const joined: Range[] = [];
  for (const from of starts.sort((a, b) => a - b)) {
    const last = joined.at(-1);
    if (last?.to === from) last.to = from + BUCKET_MS;
    else joined.push({ from, to: from + BUCKET_MS });
  }
  return joined;
}

/** True if a range overlaps a bucket. Ends are exclusive; an empty range counts at its start. */
function touches(range: ExplainedMetric['ranges'][number], from: number, to: number): boolean {
  const [start, end] = [Date.parse(range.start), Date.parse(range.end)];
  return start < to && (end > from || start >= from);
}

function amounts(samples: readonly TimeSeriesSample[] = []) {
  return samples
    .filter(({ value }) => value > 0)
    .map((sample) => {
      const from = Date.parse(sample.timestamp);
      const clock = formatRecorded(sample.timestamp, sample).slice(11);
      return { from, to: from + BUCKET_MS, value: sample.value, clock };
    });
}
