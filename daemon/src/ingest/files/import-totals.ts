import {
  addItems,
  countItems,
  type ItemCounts,
  noItems,
  type RecordBatch,
  RejectionTally,
  seriesTypeById,
} from '@healthd/model';
import type { FileReport } from '@healthd/providers';
import type { WriteCounts, WriteResult } from '../../store/facts/index.js';
import type { ImportReport } from './import-report.js';

const COLLECTIONS = ['samples', 'sleepStages', 'sleepSessions', 'workouts', 'menstrualCycles', 'healthScores'] as const;

/** Adds up the results of an import, batch by batch. */
export class ImportTotals {
  readonly #stored = new Map<(typeof COLLECTIONS)[number], WriteCounts>();
  readonly #samplesByType = new Map<number, number>();
  readonly #rejections = new RejectionTally();
  readonly #startedAt = performance.now();
  readonly #written = noItems();
  items = 0;

  count(batch: RecordBatch): void {
    const { typeId, length } = batch.samples;
    for (let row = 0; row < length; row++) {
      const id = typeId[row] ?? 0;
      this.#samplesByType.set(id, (this.#samplesByType.get(id) ?? 0) + 1);
    }
    this.items += length + batch.records.length;
  }

  add(result: WriteResult): void {
    addItems(this.#written, result.items);
    for (const name of COLLECTIONS) {
      const { inserted, updated, unchanged } = result[name];
      const sum = this.#stored.get(name) ?? { inserted: 0, updated: 0, unchanged: 0 };
      sum.inserted += inserted;
      sum.updated += updated;
      sum.unchanged += unchanged;
      this.#stored.set(name, sum);
    }
    for (const item of result.rejected) this.#rejections.add(item);
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  get itemsPerSecond(): number {
    return Math.round(this.items / Math.max(this.seconds, 0.001));
  }

  /** Returns the item counts of the whole file. */
  itemCounts(read: FileReport): ItemCounts {
    const items = { ...this.#written };
    countItems(items, 'rejected', read.rejected.total);
    const unsupported = Object.values(read.unsupported).reduce((total, count) => total + count, 0);
    countItems(items, 'unsupported', unsupported);
    return items;
  }

  /** Returns the report for the run's metadata: counts, codes and type names, never values. */
  report(read: FileReport, bytes: number): ImportReport {
    const rejections = new RejectionTally();
    rejections.addReport(read.rejected);
    rejections.addReport(this.#rejections.report);
    const { total, byReason, first } = rejections.report;
    return {
      seconds: Math.round(this.seconds * 1000) / 1000,
      bytes,
      format: read.format ?? null,
      truncated: read.truncated,
      elements: read.elements,
      stored: Object.fromEntries([...this.#stored].map(([name, counts]) => [snakeCase(name), counts])),
      samples_by_type: Object.fromEntries(
        [...this.#samplesByType].map(([id, count]) => [seriesTypeById(id)?.code ?? String(id), count]),
      ),
      rejected: {
        total,
        by_reason: byReason,
        first: first.map(({ kind: _, ...item }) => item),
      },
      unsupported: read.unsupported,
      unsupported_elements: read.unsupportedElements,
      unsupported_files: read.unsupportedFiles,
      ...(read.files && { files: read.files }),
      contents: read.contents,
    };
  }
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
