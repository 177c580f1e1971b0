import { rmssdOf } from './beat-variability.js';
import type { ProviderId } from './providers.js';
import { SAMPLE_KIND_CODE } from './record.js';
import { round } from './rounding.js';
import { hashOfId, slotOfId } from './sample-slot.js';
import { seriesTypeByCode } from './series.js';

/**
 * Hash of the id of all computed samples. Each source therefore has at most one computed sample per series and instant, and
 * repeated data replaces it. Its slot marks it as computed.
 */
export const COMPUTED_HASH = hashOfId('healthd:computed');

/** Series that adapters compute, and the series of the vendor's samples that they compute it from. */
export const COMPUTED_SERIES = {
  typeId: seriesTypeByCode('heart_rate_variability_rmssd').id,
  fromTypeId: seriesTypeByCode('heart_rate_variability_sdnn').id,
} as const;

/** Slot of computed samples. A computed sample has the source and the start of the sample that it belongs to. */
export const COMPUTED_SLOT = slotOfId(SAMPLE_KIND_CODE.sample, COMPUTED_HASH);

/** True if the service computed this sample from other data of its source. */
export function isComputed({ typeId, slot }: { typeId: number; slot: number }): boolean {
  return slot === COMPUTED_SLOT && typeId === COMPUTED_SERIES.typeId;
}

/** Providers without values of their own in the {@link COMPUTED_SERIES}. */
const WITHOUT_OWN: ReadonlySet<string> = new Set<ProviderId>(['apple']);

/** True if the provider's values of the series are computed, so that another vendor's own values rank before them. */
export function isSeriesComputed(provider: string, typeId: number): boolean {
  return typeId === COMPUTED_SERIES.typeId && WITHOUT_OWN.has(provider);
}

/** Decimals of computed values. More decimals would be more precise than the beats. */
const DECIMALS = 2;

/** Returns the value of a computed sample from the intervals between heartbeats; see {@link rmssdOf}. */
export function computedRmssd(intervalsMs: ArrayLike<number>): number | undefined {
  const rmssd = rmssdOf(intervalsMs);
  return rmssd === undefined ? undefined : round(rmssd, DECIMALS);
}
