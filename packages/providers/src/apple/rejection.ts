import type { Rejected, RejectionCode } from '@healthd/model';

const MAX_DETAIL = 120;

/** An item of the export that could not be stored. `detail` is a type or a type with a unit, never a value. */
export function rejected(
  collection: string,
  index: number,
  code: RejectionCode,
  about: { field?: string; detail?: string },
): Rejected {
  return { kind: 'rejected', collection, index, code, field: about.field, detail: about.detail?.slice(0, MAX_DETAIL) };
}

/** Something the export has and the unified model has no place for. It is counted and is no error. */
export interface Unsupported {
  kind: 'unsupported';
  type: string;
}
