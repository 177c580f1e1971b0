import { type RejectionCode, type RejectionReport, RejectionTally } from '@healthd/model';

/** Counts points of one reading and what could not be used of them. */
export class Tally {
  private readonly rejected = new RejectionTally();
  received = 0;
  /** Points whose payload is there and empty, as the vendor's facts allow for their type. */
  noValue = 0;
  /** Items of which others of the same reading say more. */
  superseded = 0;

  /** @param collection the vendor's name of the data type */
  constructor(private readonly collection: string) {}

  /** What was rejected so far. */
  get rejections(): RejectionReport {
    return this.rejected.report;
  }

  /** @returns the position of the next point, from 0 */
  next(): number {
    return this.received++;
  }

  /** @param field member at fault; never a value. @param detail the bound that was broken */
  reject(index: number, field: string | undefined, code: RejectionCode, detail?: string): void {
    this.rejected.add({ kind: 'rejected', collection: this.collection, index, field, code, detail });
  }

  /**
   * Counts a value that the adapter cannot read, under the name of its field.
   * @param field the member's name and the names of the members around it
   */
  rejectUnreadable(index: number, field: string): void {
    // The report of a run groups by code and detail.
    this.reject(index, field, 'not_understood', field);
  }

  /** Counts a value of the point that came last. The point is stored without it. */
  readonly fault = (field: string): void => this.rejectUnreadable(this.received - 1, field);

  /** A tally that goes on from here, of items that may be left for a later reading: they count here once they are joined. */
  branch(): Tally {
    const branch = new Tally(this.collection);
    branch.received = this.received;
    branch.noValue = this.noValue;
    branch.superseded = this.superseded;
    return branch;
  }

  /** Counts what a branch counted. */
  join(branch: Tally): void {
    this.received = branch.received;
    this.noValue = branch.noValue;
    this.superseded = branch.superseded;
    this.rejected.addReport(branch.rejections);
  }
}
