import { SLOT_KIND_SHIFT } from '@healthd/model';

/** The kind of a row of `sample` in SQL, a value of `SAMPLE_KIND_CODE`. @param alias of the table, with its dot */
export function sampleKind(alias = ''): string {
  return `(${alias}slot >> ${SLOT_KIND_SHIFT})`;
}
