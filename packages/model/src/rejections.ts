/** Stable reasons why an item, a part of an item or a whole push is rejected. docs/rejections.md explains each code. */
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
  'unsupported',
  'value_not_finite',
] as const;

export type RejectionCode = (typeof REJECTION_CODES)[number];

/** An item that could not be read. It names where and why and never carries a health value. */
export interface Rejected {
  kind: 'rejected';
  /** The list the item was in, e.g. `Record` or `workouts`. */
  collection: string;
  /** Position in that list, from 0. */
  index: number;
  /** Attribute or member at fault. */
  field?: string;
  code: RejectionCode;
  /** What the code is about when it is no health value: a type's or a unit's name. */
  detail?: string;
}

/** So many rejected items are listed one by one, the first of them; beyond they are only counted. */
const REJECTIONS_IN_FULL = 100;
/** Stands for all further reasons once there are as many different ones as a tally takes. */
const OTHERS = 'others';

/** Counts of rejected items by reason, and the first {@link REJECTIONS_IN_FULL} of them. */
export interface RejectionReport {
  total: number;
  /** By {@link rejectionReason}. */
  byReason: Record<string, number>;
  first: Rejected[];
}

/** The key of a rejection's reason: its code, with the detail where it has one. */
export function rejectionReason({ code, detail }: Pick<Rejected, 'code' | 'detail'>): string {
  return detail === undefined ? code : `${code}:${detail}`;
}

/** Gathers a {@link RejectionReport}. */
export class RejectionTally {
  readonly report: RejectionReport = { total: 0, byReason: {}, first: [] };
  private reasons = 0;

  /** @param maxReasons more different ones are counted together, so that made-up names do not fill the memory */
  constructor(private readonly maxReasons = Number.POSITIVE_INFINITY) {}

  add(item: Rejected): void {
    this.report.total++;
    this.count(rejectionReason(item), 1);
    this.list(item);
  }

  /** Adds what another tally gathered; its items come after those that are listed here. */
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
