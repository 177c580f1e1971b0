import { MAX_OFFSET_MS, MS_PER_DAY, SAMPLE_KIND_CODE } from '@healthd/model';
import type { ScoreRow } from '../facts/events/event-kinds.js';
import { type SampleKey, type SampleRows, sampleKeyOf } from '../facts/samples/sample-rows.js';
import type { SampleChanges } from '../facts/samples/sample-store.js';
import { storableText } from '../facts/storable-text.js';
import { firstFrom, RangeMax } from './range-max.js';
import type { StoredVendorEvent } from './vendor-events.js';

/** Stored versions of scores, and the samples that determine their values. */
export interface HighestSnapshot {
  scores: readonly StoredVendorEvent[];
  /** Stored samples in the spans of the scores' series. */
  samples: readonly SampleRows[];
  /** Changes of samples by the batch. */
  changes: SampleChanges;
  /** First local day without archived data, in days since 1970-01-01. */
  archivedBefore: number | undefined;
}

/**
 * Sets the values of scores that are the maximum of a series. A stored value also counts if samples of its time may have
 * been archived.
 */
export function withHighestValues(scores: readonly ScoreRow[], snapshot: HighestSnapshot): ScoreRow[] {
  const { archivedBefore } = snapshot;
  const nameOf = (sourceId: unknown, category: unknown, externalId: unknown) =>
    JSON.stringify([sourceId, category, externalId]);
  const known = new Map(
    snapshot.scores.map(({ values }) => [nameOf(values.source_id, values.category, values.external_id), values.value]),
  );
  const archivedUntilMs = archivedBefore === undefined ? 0 : archivedBefore * MS_PER_DAY + MAX_OFFSET_MS;
  const requested = new Set(scores.flatMap(({ highestOf }) => highestOf?.typeId ?? []));
  const series = seriesOf(snapshot, requested);
  return scores.map((score) => {
    const { highestOf, sourceId, category, externalId } = score;
    if (!highestOf) return score;
    const points = series.get(`${highestOf.typeId} ${sourceId}`);
    let value = score.value ?? Number.NEGATIVE_INFINITY;
    for (const { startMs, endMs } of points ? highestOf.spans : []) {
      const { starts, values } = points as SeriesPoints;
      value = Math.max(value, values.max(firstFrom(starts, startMs), firstFrom(starts, endMs)));
    }
    const firstMs = Math.min(...highestOf.spans.map(({ startMs }) => startMs));
    const stored = known.get(nameOf(sourceId, category, externalId === undefined ? null : storableText(externalId)));
    if (firstMs < archivedUntilMs && typeof stored === 'number') value = Math.max(value, stored);
    return Number.isFinite(value) ? { ...score, value } : score;
  });
}

/** Samples of one series and source, by start. */
interface SeriesPoints {
  starts: Float64Array;
  values: RangeMax;
}

/** Returns the samples that are stored after the batch, by series and source. */
function seriesOf({ samples, changes }: HighestSnapshot, typeIds: ReadonlySet<number>): Map<string, SeriesPoints> {
  const series = new Map<string, { ms: number; value: number }[]>();
  const add = (rows: SampleRows, row: number) => {
    if (rows.kind[row] !== SAMPLE_KIND_CODE.sample || !typeIds.has(rows.typeId[row] as number)) return;
    const key = `${rows.typeId[row]} ${rows.sourceId[row]}`;
    const point = { ms: rows.startMs[row] as number, value: rows.value[row] as number };
    const known = series.get(key);
    if (known) known.push(point);
    else series.set(key, [point]);
  };
  const updated = changes.updated.map((row) => sampleKeyOf(changes.rows, row));
  const replaced = new Set([...changes.deleted, ...updated].map(keyOf));
  for (const rows of samples) {
    for (let row = 0; row < rows.length; row++) if (!replaced.has(keyOf(sampleKeyOf(rows, row)))) add(rows, row);
  }
  for (const row of changes.inserted) add(changes.rows, row);
  for (const row of changes.updated) add(changes.rows, row);
  return new Map(
    [...series].map(([key, points]) => {
      points.sort((a, b) => a.ms - b.ms);
      const starts = Float64Array.from(points, ({ ms }) => ms);
      return [key, { starts, values: new RangeMax(points.map(({ value }) => value)) }];
    }),
  );
}

function keyOf({ typeId, startMs, sourceId, slot }: SampleKey): string {
  return `${typeId} ${startMs} ${sourceId} ${slot}`;
}
