import { type RejectionCode, type RejectionReport, RejectionTally } from '@healthd/model';

/** Lists of the payload. */
export type PushCollection = 'records' | 'sleep' | 'workouts' | 'deleted';

const MAX_REASONS = 500;
const MAX_TYPES = 200;
/** Stands for all further names once so many different ones were seen. */
const OTHER = '(other)';

/** What became of the items of one payload. */
export interface PushReport {
  /** Items that lead to something stored, by list. */
  accepted: Record<PushCollection, number>;
  rejections: RejectionReport;
  /** Items that are well formed and have no place in the data model, by type. */
  ignored: Record<string, number>;
  /** Items stored without their offset, because it could not be read. */
  unreadableOffsets: number;
}

/** Gathers a {@link PushReport} while items are read. */
export class PushTally {
  private readonly rejected = new RejectionTally(MAX_REASONS);
  private readonly counted: Omit<PushReport, 'rejections'> = {
    accepted: { records: 0, sleep: 0, workouts: 0, deleted: 0 },
    ignored: {},
    unreadableOffsets: 0,
  };
  private readonly ignored = new Map<string, number>();

  /** What was counted so far. */
  get report(): PushReport {
    return { ...this.counted, rejections: this.rejected.report, ignored: Object.fromEntries(this.ignored) };
  }

  noteUnreadableOffset(): void {
    this.counted.unreadableOffsets++;
  }

  accept(collection: PushCollection): void {
    this.counted.accepted[collection]++;
  }

  /** @param field member at fault, e.g. `startDate`; never a value */
  reject(
    collection: PushCollection,
    index: number,
    field: string | undefined,
    code: RejectionCode,
    detail?: string,
  ): void {
    this.rejected.add({ kind: 'rejected', collection, index, field, code, detail: detail?.slice(0, 120) });
  }

  /** @param type name of what is not stored */
  ignore(type: string): void {
    const known = this.ignored.has(type) || this.ignored.size < MAX_TYPES;
    const name = known ? type.slice(0, 120) : OTHER;
    this.ignored.set(name, (this.ignored.get(name) ?? 0) + 1);
  }
}
