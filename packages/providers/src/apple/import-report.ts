import type { ExportErrorCode, ExportFormat } from '@healthd/apple-export';
import type { Rejected, RejectionReport } from '@healthd/model';
import type { Unsupported } from './rejection.js';

const KEPT_IN_FULL = 100;
const MAX_KEYS = 500;
const OTHERS = 'others';

/** What became of an export file. */
export interface AppleExportReport {
  /** Undefined when the file turned out to be no export. */
  format?: ExportFormat;
  /** The file ended early; all before the cut was read. */
  truncated: boolean;
  /** Why reading stopped before the end of the file; what stood before was delivered. */
  failure?: ExportErrorCode;
  /** All top-level elements by name; of these only `Record`, `Workout` and `Me` are looked into. */
  elements: Record<string, number>;
  /** What was handed on. */
  samples: number;
  sleepStages: number;
  workouts: number;
  rejected: RejectionReport;
  /** Records that the unified model has no place for, by type. */
  unsupported: Record<string, number>;
}

/** Counts what cannot be stored. A file that makes up ever new names does not make it grow without end. */
export class ImportTally {
  readonly rejected: RejectionReport = { total: 0, byReason: {}, first: [] };
  readonly unsupported: Record<string, number> = {};
  private reasonKeys = 0;
  private typeKeys = 0;

  reject(item: Rejected): void {
    this.rejected.total++;
    if (this.rejected.first.length < KEPT_IN_FULL) this.rejected.first.push(item);
    const reason = item.detail === undefined ? item.code : `${item.code}:${item.detail}`;
    const key = Object.hasOwn(this.rejected.byReason, reason) || this.reasonKeys < MAX_KEYS ? reason : OTHERS;
    if (count(this.rejected.byReason, key)) this.reasonKeys++;
  }

  skip({ type }: Unsupported): void {
    const name = type.slice(0, 120);
    const key = Object.hasOwn(this.unsupported, name) || this.typeKeys < MAX_KEYS ? name : OTHERS;
    if (count(this.unsupported, key)) this.typeKeys++;
  }
}

function count(counts: Record<string, number>, key: string): boolean {
  const isNew = !Object.hasOwn(counts, key);
  counts[key] = (isNew ? 0 : counts[key]!) + 1;
  return isNew;
}
