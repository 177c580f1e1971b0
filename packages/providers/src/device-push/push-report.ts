import type { Rejected } from '@healthd/model';

/** Lists of the payload. */
export type PushCollection = 'records' | 'sleep' | 'workouts';

/** Rejected items are told one by one up to this number, and only counted beyond. */
export const MAX_REJECTED = 100;
const MAX_TYPES = 200;
/** Stands for all further names once so many different ones were seen. */
const OTHER = '(other)';

/** What became of the items of one payload. */
export interface PushReport {
  /** Items that lead to something stored, by list. */
  accepted: Record<PushCollection, number>;
  rejectedTotal: number;
  /** The first {@link MAX_REJECTED} of them. */
  rejected: Rejected[];
  /** Items that are well formed and have no place in the data model, by type. */
  ignored: Record<string, number>;
  /** Items stored without their offset, because it could not be read. */
  unreadableOffsets: number;
}

/** Gathers a {@link PushReport} while items are read. */
export class PushTally {
  private readonly counted: PushReport = {
    accepted: { records: 0, sleep: 0, workouts: 0 },
    rejectedTotal: 0,
    rejected: [],
    ignored: {},
    unreadableOffsets: 0,
  };
  private readonly ignored = new Map<string, number>();

  /** What was counted so far. */
  get report(): PushReport {
    return { ...this.counted, ignored: Object.fromEntries(this.ignored) };
  }

  noteUnreadableOffset(): void {
    this.counted.unreadableOffsets++;
  }

  accept(collection: PushCollection): void {
    this.counted.accepted[collection]++;
  }

  /** @param field member at fault, e.g. `startDate`; never a value */
  reject(collection: PushCollection, index: number, field: string | undefined, code: string, detail?: string): void {
    this.counted.rejectedTotal++;
    if (this.counted.rejected.length >= MAX_REJECTED) return;
    this.counted.rejected.push({ kind: 'rejected', collection, index, field, code, detail: detail?.slice(0, 120) });
  }

  /** @param type name of what is not stored */
  ignore(type: string): void {
    const known = this.ignored.has(type) || this.ignored.size < MAX_TYPES;
    const name = known ? type.slice(0, 120) : OTHER;
    this.ignored.set(name, (this.ignored.get(name) ?? 0) + 1);
  }
}
