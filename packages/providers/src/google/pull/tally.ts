import { type RejectionReport, rejectionReason } from '@healthd/model';

const KEPT_IN_FULL = 100;

/** Counts points of one reading and what could not be used of them. */
export class Tally {
  readonly rejections: RejectionReport = { total: 0, byReason: {}, first: [] };
  received = 0;
  /** Points whose payload is there and empty, as the vendor's facts allow for their type. */
  noValue = 0;
  /** Items of which others of the same reading say more. */
  superseded = 0;

  /** @param collection the vendor's name of the data type */
  constructor(private readonly collection: string) {}

  /** @returns the position of the next point, from 0 */
  next(): number {
    return this.received++;
  }

  /** @param field member at fault; never a value. @param detail the bound that was broken */
  reject(index: number, field: string | undefined, code: string, detail?: string): void {
    const { rejections, collection } = this;
    rejections.total++;
    const reason = rejectionReason({ code, detail });
    rejections.byReason[reason] = (rejections.byReason[reason] ?? 0) + 1;
    if (rejections.first.length < KEPT_IN_FULL) {
      rejections.first.push({ kind: 'rejected', collection, index, field, code, detail });
    }
  }
}
