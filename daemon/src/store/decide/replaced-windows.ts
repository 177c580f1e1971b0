import { hashOfId, hashOfSlot, hasId, type ReplacementRecord, SAMPLE_KIND_CODE } from '@healthd/model';
import type { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { joinedSpans, localDayOf, type SampleRows, type SampleSpan } from '../facts/samples/sample-rows.js';
import { ROW_OUTCOME, type Identified } from './identified.js';

export type SamplesReplacement = ReplacementRecord & { of: 'samples' };

/** The replaced windows of one writer, and its sources' stored samples within them. */
export interface StoredWindows {
  records: readonly SamplesReplacement[];
  stored: SampleRows;
}

/**
 * Drops stored samples of the windows that are missing from the batch. If a new row has the same start as a stored
 * sample, that row replaces the sample instead.
 */
export function* dropReplaced(
  identified: Identified,
  windows: readonly StoredWindows[],
  timeline: OffsetTimeline,
): Generator<void> {
  if (windows.length === 0) return;
  const restated = new RestatedSamples(identified);
  for (const { records, stored } of windows) {
    yield;
    const spans = new SampleWindows(records);
    for (let row = 0; row < stored.length; row++) {
      if (!spans.contain(stored, row, () => localDayOf(stored, row, timeline))) continue;
      if (!identified.isMatched(stored, row) && !restated.replaceByNewRow(stored, row)) identified.drop(stored, row);
    }
  }
}

/** Criteria of windows besides series and time. */
interface Shape {
  kinds: boolean;
  ids: boolean;
  days: boolean;
}

/** Replaced windows of one writer, indexed so that no sample is compared with every window. */
class SampleWindows {
  private readonly shapes = new Map<string, Shape>();
  private readonly spans = new Map<string, SampleSpan[]>();

  constructor(records: readonly SamplesReplacement[]) {
    for (const { typeIds, sampleKinds, externalIds, localDays, startMs, endMs } of records) {
      const shape = { kinds: sampleKinds !== undefined, ids: externalIds !== undefined, days: localDays !== undefined };
      this.shapes.set(JSON.stringify(shape), shape);
      const kinds = sampleKinds?.map((kind): number => SAMPLE_KIND_CODE[kind]) ?? [undefined];
      const hashes = externalIds?.map(hashOfId) ?? [undefined];
      const days = localDays ? daysOf(localDays) : [undefined];
      for (const typeId of typeIds)
        for (const kind of kinds)
          for (const hash of hashes)
            for (const day of days) this.add(nameOf(typeId, kind, hash, day), { typeId, fromMs: startMs, toMs: endMs });
    }
    for (const [name, spans] of this.spans) this.spans.set(name, joinedSpans(spans));
  }

  /** True if a stored sample is in one of the windows. */
  contain(stored: SampleRows, row: number, dayOf: () => number): boolean {
    const startMs = stored.startMs[row] as number;
    for (const { kinds, ids, days } of this.shapes.values()) {
      const kind = kinds ? (stored.kind[row] as number) : undefined;
      const hash = ids ? hashOfSlot(stored.slot[row] as number) : undefined;
      const spans = this.spans.get(nameOf(stored.typeId[row] as number, kind, hash, days ? dayOf() : undefined));
      if (spans && isWithin(spans, startMs)) return true;
    }
    return false;
  }

  private add(name: string, span: SampleSpan): void {
    const known = this.spans.get(name);
    if (known) known.push(span);
    else this.spans.set(name, [span]);
  }
}

function nameOf(typeId: number, kind?: number, hash?: number, day?: number): string {
  return `${typeId} ${kind ?? ''} ${hash ?? ''} ${day ?? ''}`;
}

function daysOf({ firstDay, endDay }: { firstDay: number; endDay: number }): number[] {
  return Array.from({ length: Math.max(0, endDay - firstDay) }, (_, index) => firstDay + index);
}

/** True if a time is in one of the sorted, disjoint spans. */
function isWithin(spans: readonly SampleSpan[], ms: number): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as SampleSpan).fromMs <= ms) low = middle + 1;
    else high = middle;
  }
  return low > 0 && ms < (spans[low - 1] as SampleSpan).toMs;
}

/**
 * New rows of a batch that restates its windows, by start. An unmatched stored sample of a window is an earlier value
 * of the new row with the same series, source, kind and start.
 */
class RestatedSamples {
  private readonly rowsAt = new Map<string, number[]>();

  constructor(private readonly identified: Identified) {
    const { rows, rowOutcomes } = identified;
    for (let row = 0; row < rows.length; row++) {
      if (rowOutcomes[row] !== ROW_OUTCOME.insert) continue;
      const key = startOf(rows, row);
      const known = this.rowsAt.get(key);
      if (known) known.push(row);
      else this.rowsAt.set(key, [row]);
    }
  }

  /** Replaces a stored sample with the new row that has the same key. Returns false if there is no such row. */
  replaceByNewRow(stored: SampleRows, at: number): boolean {
    const { rows } = this.identified;
    const row = this.rowsAt.get(startOf(stored, at))?.shift();
    if (row === undefined) return false;
    if (!hasId(rows.slot[row] as number)) rows.slot[row] = stored.slot[at] as number;
    this.identified.replace(row, stored, at);
    return true;
  }
}

function startOf(rows: SampleRows, at: number): string {
  return `${rows.typeId[at]} ${rows.startMs[at]} ${rows.sourceId[at]} ${rows.kind[at]}`;
}
