import { type RejectionCode, type RejectionReport, RejectionTally } from '@healthd/model';

/** Lists of the payload. */
export type PushCollection = 'records' | 'sleep' | 'workouts' | 'deleted';

const MAX_REASONS = 500;
const MAX_TYPES = 200;
/** Bucket for further names above the limit. */
const OTHER = '(other)';

/** Results of one payload's items. */
export interface PushReport {
  /** Number of items that are stored, by list. */
  accepted: Record<PushCollection, number>;
  rejections: RejectionReport;
  /** Number of valid items without a place in the data model, by type. */
  ignored: Record<string, number>;
  /** Number of items that are stored without their unreadable offset. */
  unreadableOffsets: number;
}

/** Collects a {@link PushReport} while reading items. */
export class PushTally {
  private readonly rejected = new RejectionTally(MAX_REASONS);
  private readonly counted: Omit<PushReport, 'rejections'> = {
    accepted: { records: 0, sleep: 0, workouts: 0, deleted: 0 },
    ignored: {},
    unreadableOffsets: 0,
  };
  private readonly ignored = new Map<string, number>();

  /** Counts so far. */
  get report(): PushReport {
    return { ...this.counted, rejections: this.rejected.report, ignored: Object.fromEntries(this.ignored) };
  }

  noteUnreadableOffset(): void {
    this.counted.unreadableOffsets++;
  }

  accept(collection: PushCollection): void {
    this.counted.accepted[collection]++;
  }

  /** @param field invalid member, e.g. `startDate`; never a value */
  reject(
    collection: PushCollection,
    index: number,
    field: string | undefined,
    code: RejectionCode,
    detail?: string,
  ): void {
    this.rejected.add({ kind: 'rejected', collection, index, field, code, detail: detail?.slice(0, 120) });
  }

  /** @param type name of the unsupported type */
  ignore(type: string): void {
    const known = this.ignored.has(type) || this.ignored.size < MAX_TYPES;
    const name = known ? type.slice(0, 120) : OTHER;
    this.ignored.set(name, (this.ignored.get(name) ?? 0) + 1);
  }
}
