import type { Rejected, RejectionCode } from '@healthd/model';

const MAX_DETAIL = 120;

/** Returns the rejection of an export item. `detail` is a type or a type with a unit, never a value. */
export function rejected(
  collection: string,
  index: number,
  code: RejectionCode,
  about: { field?: string; detail?: string },
): Rejected {
  return { kind: 'rejected', collection, index, code, field: about.field, detail: about.detail?.slice(0, MAX_DETAIL) };
}

/** An exported item without a place in the unified model. It is counted, but is not an error. */
export interface Unsupported {
  kind: 'unsupported';
  type: string;
}
