/** Stable reasons for rejecting an item, a part of an item or a whole push. docs/rejections.md explains each code. */
export const REJECTION_CODES = [
  'damaged',
  'empty_interval',
  'end_before_start',
  'implausible',
  'interval_too_long',
  'invalid_date',
  'invalid_duration',
  'invalid_value',
  'item_too_large',
  'json_invalid',
  'missing',
  'missing_attribute',
  'not_an_array',
  'not_an_object',
  'not_given',
  'not_stored',
  'not_understood',
  'outside_workout',
  'too_deep',
  'too_long',
  'too_many',
  'unknown_offset',
  'unknown_sleep_stage',
  'unknown_type',
  'unknown_unit',
  'unreadable',
  'unsupported',
  'value_not_finite',
] as const;

export type RejectionCode = (typeof REJECTION_CODES)[number];

/** An item that could not be read. It contains the position and the reason, and never a health value. */
export interface Rejected {
  kind: 'rejected';
  /** Name of the list that contained the item, such as `Record` or `workouts`. */
  collection: string;
  /** Position in that list, from 0. */
  index: number;
  /** Invalid attribute or member. */
  field?: string;
  code: RejectionCode;
  /** Subject of the code, such as the name of a type or unit. Never a health value. */
  detail?: string;
}

/** Number of rejected items that are listed individually. Further items are only counted. */
const REJECTIONS_IN_FULL = 100;
/** Bucket for further reasons once a tally has reached its maximum number of reasons. */
const OTHERS = 'others';

/** Counts of rejected items by reason, and the first {@link REJECTIONS_IN_FULL} items. */
export interface RejectionReport {
  total: number;
  /** Counts by {@link rejectionReason}. */
  byReason: Record<string, number>;
  first: Rejected[];
}

/** Returns the key of a rejection's reason: its code, with the detail if it has one. */
export function rejectionReason({ code, detail }: Pick<Rejected, 'code' | 'detail'>): string {
  return detail === undefined ? code : `${code}:${detail}`;
}

/** Collects a {@link RejectionReport}. */
export class RejectionTally {
  readonly report: RejectionReport = { total: 0, byReason: {}, first: [] };
  private reasons = 0;

  /** @param maxReasons limit on distinct reasons, so that invented names do not fill the memory */
  constructor(private readonly maxReasons = Number.POSITIVE_INFINITY) {}

  add(item: Rejected): void {
    this.report.total++;
    this.count(rejectionReason(item), 1);
    this.list(item);
  }

  /** Adds another tally's report; its items follow the items listed here. */
  addReport({ total, byReason, first }: RejectionReport): void {
    this.report.total += total;
    for (const [reason, items] of Object.entries(byReason)) this.count(reason, items);
    for (const item of first) this.list(item);
  }

  private count(reason: string, items: number): void {
    const { byReason } = this.report;
    const key = Object.hasOwn(byReason, reason) || this.reasons < this.maxReasons ? reason : OTHERS;
    if (!Object.hasOwn(byReason, key)) {
      byReason[key] = 0;
      this.reasons++;
    }
    byReason[key] = (byReason[key] as number) + items;
  }

  private list(item: Rejected): void {
    if (this.report.first.length < REJECTIONS_IN_FULL) this.report.first.push(item);
  }
}
