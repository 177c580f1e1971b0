import { brokenBound, type Rejected, type SampleColumns } from '@healthd/model';

const MAX_INT4 = 2_147_483_647;

/** 0001-01-01 and 9999-12-30: a local date still has four digits. */
export const FIRST_INSTANT_MS = -62_135_596_800_000;

export const LAST_INSTANT_MS = 253_402_128_000_000;

/** Why a sample of a batch cannot be stored; undefined when it can. */
export function sampleFault(
  columns: SampleColumns,
  row: number,
): Pick<Rejected, 'field' | 'code' | 'detail'> | undefined {
  const startMs = columns.startMs[row] as number;
  const durationMs = columns.durationMs[row] as number;
  if (!Number.isFinite(columns.value[row] as number)) return { field: 'value', code: 'value_not_finite' };
  if (!isStorableInstant(startMs)) return { field: 'start', code: 'invalid_date' };
  if (durationMs < 0 || durationMs > MAX_INT4) return { field: 'duration', code: 'invalid_duration' };
  const { typeId, value, kind } = columns;
  const bound = brokenBound(typeId[row] as number, value[row] as number, durationMs, kind[row] as number);
  if (bound !== undefined) return { field: 'value', code: 'implausible', detail: bound };
  return undefined;
}

/** True for instants whose local dates have years 1 to 9999. */
export function isStorableInstant(ms: number): boolean {
  return ms >= FIRST_INSTANT_MS && ms <= LAST_INSTANT_MS;
}
