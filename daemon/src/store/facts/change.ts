/** Types of changes to stored items, as bits, so that one number contains all types of a day. */
export const CHANGE = {
  created: 1,
  corrected: 2,
  /** The local date changed, but no value did. */
  redated: 4,
  /** Samples were replaced by the totals of their day. */
  archived: 8,
  /** Deleted because of their age. */
  expired: 16,
  deletedByPerson: 32,
  deletedByVendor: 64,
  /** Deleted because a newer version of a window, file or session lacks the items. */
  replaced: 128,
  /** Deleted because the vendor's terms demand it. */
  deletedByTerms: 256,
} as const;

/** Any combination of {@link CHANGE}. */
export type Change = number;

/** Bits of deletions. */
export const DELETED =
  CHANGE.expired | CHANGE.deletedByPerson | CHANGE.deletedByVendor | CHANGE.replaced | CHANGE.deletedByTerms;
