import { hash } from 'node:crypto';

/**
 * Returns the SQL of a sample's stable ID, for a row `s` of `sample` and its source `d`. Samples have no ID in the table,
 * so the ID is a hash of the sample's key.
 */
export const SAMPLE_ID = `encode(substring(sha256(convert_to(concat_ws(' ', d.id, s.type_id,
    (extract(epoch from s.start_at) * 1000)::int8, s.slot), 'UTF8')) for 16), 'hex')::uuid`;

/** Returns the same ID as {@link SAMPLE_ID}. */
export function sampleId(sourceId: string, typeId: number, startMs: number, slot: number): string {
  const hex = hash('sha256', `${sourceId} ${typeId} ${startMs} ${slot}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
