import { SLOT_KIND_SHIFT } from '@healthd/model';

/**
 * Returns SQL for the type of a `sample` row: a value of `SAMPLE_KIND_CODE`. @param alias table alias with a trailing
 * dot
 */
export function sampleKind(alias = ''): string {
  return `(${alias}slot >> ${SLOT_KIND_SHIFT})`;
}
