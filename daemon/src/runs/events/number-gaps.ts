import { LONGEST_TRANSACTION_MS, type NumberRange, type TransactionMark } from './all-rows.js';

/** Maximum time from the assignment of a number until its transaction gets an ID. */
const DRAWN_WITHIN_MS = 1_000;

/** A range of skipped event numbers. */
interface Gap extends NumberRange {
  noticedMs: number;
  /** Upper bound of the transactions that may still store one of the numbers; unknown at first. */
  belowXid?: bigint;
}

/** Tracks skipped event numbers that may still appear. Times are from one monotonic clock. */
export class NumberGaps {
  private gaps: Gap[] = [];

  /** @param seen highest number so far; all lower numbers have appeared */
  constructor(private seen: number) {}

  /** Highest number seen. */
  get highest(): number {
    return this.seen;
  }

  /** Number up to which all numbers have appeared or can no longer appear. */
  get settled(): number {
    return this.gaps[0] === undefined ? this.seen : this.gaps[0].first - 1;
  }

  /** Missing numbers, lowest first. */
  get ranges(): readonly NumberRange[] {
    return this.gaps;
  }

  /** Records a newly seen number. */
  see(seq: number, atMs: number): void {
    if (seq > this.seen) {
      if (seq > this.seen + 1) this.gaps.push({ first: this.seen + 1, last: seq - 1, noticedMs: atMs });
      this.seen = seq;
      return;
    }
    const index = this.gaps.findIndex(({ last }) => seq <= last);
    const gap = this.gaps[index];
    if (gap === undefined || seq < gap.first) return;
    const rest = [
      { ...gap, last: seq - 1 },
      { ...gap, first: seq + 1 },
    ].filter(({ first, last }) => first <= last);
    this.gaps.splice(index, 1, ...rest);
  }

  /**
   * Drops numbers that no transaction can store any more. Call it after reading all gaps again. `mark` must be older
   * than that read; it was taken at `atMs`.
   */
  close(mark: TransactionMark, atMs: number): void {
    this.gaps = this.gaps.filter(
      ({ noticedMs, belowXid }) =>
        atMs - noticedMs < LONGEST_TRANSACTION_MS && !(belowXid !== undefined && belowXid <= mark.oldestXid),
    );
    for (const gap of this.gaps) {
      if (atMs - gap.noticedMs >= DRAWN_WITHIN_MS) gap.belowXid ??= mark.nextXid;
    }
  }
}
