import { MS_PER_DAY } from '@healthd/model';

/** Fewer equal items, or of fewer days, may be chance. */
const LEAST_EQUAL = 5;
const LEAST_DAYS = 2;
/** Among this many equal items one may differ: deleted on the phone, or not arrived yet. */
const EQUAL_PER_CONTRADICTION = 20;

/** Evidence for two sources being one, and against it. */
export class Evidence {
  private equal = 0;
  private exclusive = 0;
  private contradictions = 0;
  private readonly days = new Set<number>();

  /** Items that both have. */
  addEqual(count: number): void {
    this.equal += count;
  }

  /** An item that both have and no other source of the store: what one app copies from another says nothing. */
  addExclusive(startMs: number): void {
    this.exclusive++;
    this.days.add(Math.floor(startMs / MS_PER_DAY));
  }

  /** Items that one of the two would have too if they were one. */
  addContradictions(count: number): void {
    this.contradictions += count;
  }

  /** Whether it can be enough, as far as equal items and contradictions are known. */
  get isPromising(): boolean {
    return this.equal >= LEAST_EQUAL && this.contradictions * EQUAL_PER_CONTRADICTION <= this.equal;
  }

  get isEnough(): boolean {
    return this.isPromising && this.exclusive >= LEAST_EQUAL && this.days.size >= LEAST_DAYS;
  }
}
