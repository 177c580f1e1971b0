import { MS_PER_DAY } from '@healthd/model';

/** Minimum numbers of equal items and days. Fewer may be coincidence. */
const LEAST_EQUAL = 5;
const LEAST_DAYS = 2;
/** Number of equal items per allowed difference. A differing item may be deleted on the phone or not delivered yet. */
const EQUAL_PER_CONTRADICTION = 20;

/** Evidence for and against two sources being the same. */
export class Evidence {
  private equal = 0;
  private exclusive = 0;
  private contradictions = 0;
  private readonly days = new Set<number>();

  /** Adds items that both sources contain. */
  addEqual(count: number): void {
    this.equal += count;
  }

  /**
   * Adds an item that the store contains only in these two sources. Items that apps copy from other apps prove nothing.
   */
  addExclusive(startMs: number): void {
    this.exclusive++;
    this.days.add(Math.floor(startMs / MS_PER_DAY));
  }

  /** Adds items that one source lacks although identical sources would share them. */
  addContradictions(count: number): void {
    this.contradictions += count;
  }

  /** True if the equal items and contradictions so far allow a match. */
  get isPromising(): boolean {
    return this.equal >= LEAST_EQUAL && this.contradictions * EQUAL_PER_CONTRADICTION <= this.equal;
  }

  get isEnough(): boolean {
    return this.isPromising && this.exclusive >= LEAST_EQUAL && this.days.size >= LEAST_DAYS;
  }
}
