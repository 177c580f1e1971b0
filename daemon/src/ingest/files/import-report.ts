import {
  addItems,
  countItems,
  type ItemCounts,
  noItems,
  type RecordBatch,
  type Rejected,
  RejectionTally,
  seriesTypeById,
} from '@healthd/model';
import type { FileReport } from '@healthd/providers';
import type { RunOutcome } from '../../runs/index.js';
import type { WriteCounts, WriteResult } from '../../store/facts/index.js';
import type { SeriesChanges } from '../../store/write/index.js';
import { CONFIRMABLE_MINUTES } from './import-files.js';
import { REPLACEMENT_FAULTS, type ReplacementFault } from './replace-old.js';

const COLLECTIONS = ['samples', 'sleepStages', 'sleepSessions', 'workouts', 'menstrualCycles', 'healthScores'] as const;

/** Adds up what an import stores, batch by batch. */
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

  /** What became of the items of the whole file. */
  itemCounts(read: FileReport): ItemCounts {
    const items = { ...this.#written };
    countItems(items, 'rejected', read.rejected.total);
    const unsupported = Object.values(read.unsupported).reduce((total, count) => total + count, 0);
    countItems(items, 'unsupported', unsupported);
    return items;
  }

  /** The report as the run's metadata carries it: counts, codes and names of types, never a value. */
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
    };
  }
}

/** What became of an export file. */
export interface ImportReport {
  seconds: number;
  /** Size of the uploaded file. */
  bytes: number;
  format: string | null;
  truncated: boolean;
  /** Top-level elements of the file by name. */
  elements: Record<string, number>;
  stored: Record<string, WriteCounts>;
  /** Samples read, by series type. */
  samples_by_type: Record<string, number>;
  rejected: { total: number; by_reason: Record<string, number>; first: Omit<Rejected, 'kind'>[] };
  /** Records without a place in the unified model, by the vendor's type: the hundred most frequent, and `others`. */
  unsupported: Record<string, number>;
  /** Elements of the file without a place, by name, such as `ActivitySummary` and `Workout/WorkoutRoute`: as above. */
  unsupported_elements: Record<string, number>;
  /** Files of the archive that are not read, by kind; never their names. */
  unsupported_files: FileReport['unsupportedFiles'];
  /** Rows that mode `replace` removed, or a dry run of it would. */
  gone?: number;
  /** What changed, or would; of mode `replace` and of dry runs. */
  changes?: SeriesChanges;
}

/** How the run ends, in a code for programs and a text for people. */
export function outcomeOf(
  read: FileReport,
  report: ImportReport,
  { dryRun, fault }: { dryRun: boolean; fault: ReplacementFault | undefined },
): { outcome: RunOutcome; reason?: string; message: string } {
  if (read.failure !== undefined) {
    const { code, message } = read.failure;
    return { outcome: { stage: 'failed', status: 'failed', error: message }, reason: code, message };
  }
  const done = dryRun ? 'compared' : 'imported';
  const kept = dryRun ? ` The file is kept for ${CONFIRMABLE_MINUTES} minutes: confirm the run to import it.` : '';
  const partial = { stage: 'completed', status: 'partial' } as const;
  const { total } = report.rejected;
  if (read.truncated) {
    const unremoved = fault ? ` ${REPLACEMENT_FAULTS[fault]}` : '';
    const message = `The file ends early. Everything before its end was ${done}.${unremoved}${kept}`;
    return { outcome: partial, reason: 'truncated', message };
  }
  if (fault) {
    return { outcome: partial, reason: fault, message: `The export was ${done}. ${REPLACEMENT_FAULTS[fault]}${kept}` };
  }
  if (total > 0) {
    const message = `The export was ${done}; ${total} ${total === 1 ? 'item was' : 'items were'} rejected.${kept}`;
    return { outcome: partial, reason: 'items_rejected', message };
  }
  return { outcome: { stage: 'completed', status: 'success' }, message: `The export was ${done}.${kept}` };
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
