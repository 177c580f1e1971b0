import { type RejectionCode, type RejectionReport, RejectionTally } from '@healthd/model';

/** Counts the points of one reading, including unusable ones. */
export class Tally {
  private readonly rejected = new RejectionTally();
  received = 0;
  /** Number of points with an empty payload, in data types for which the vendor documents empty payloads. */
  noValue = 0;
  /** Number of items that other items of the reading cover in more detail. */
  superseded = 0;

  /** @param collection the vendor's name of the data type */
  constructor(private readonly collection: string) {}

  /** Rejections so far. */
  get rejections(): RejectionReport {
    return this.rejected.report;
  }

  /** @returns the position of the next point, from 0 */
  next(): number {
    return this.received++;
  }

  /** @param field the invalid member, never a value. @param detail the violated bound */
  reject(index: number, field: string | undefined, code: RejectionCode, detail?: string): void {
    this.rejected.add({ kind: 'rejected', collection: this.collection, index, field, code, detail });
  }

  /**
   * Counts a value that the adapter cannot read, by field name.
   * @param field the member's name with its parent members
   */
  rejectUnreadable(index: number, field: string): void {
    // A run's report groups by code and detail.
    this.reject(index, field, 'not_understood', field);
  }

  /** Counts an unreadable value of the latest point. The point is stored without it. */
  readonly fault = (field: string): void => this.rejectUnreadable(this.received - 1, field);

  /**
   * Returns a tally that continues from this tally's counts, for items that this reading may leave to a later reading.
   * This tally counts the items only after {@link join}.
   */
  branch(): Tally {
    const branch = new Tally(this.collection);
    branch.received = this.received;
    branch.noValue = this.noValue;
    branch.superseded = this.superseded;
    return branch;
  }

  /** Adds the counts of a branch. */
  join(branch: Tally): void {
    this.received = branch.received;
    this.noValue = branch.noValue;
    this.superseded = branch.superseded;
    this.rejected.addReport(branch.rejections);
  }
}
