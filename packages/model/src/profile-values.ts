import type { ProviderId } from './providers.js';
import { type SeriesCode, seriesTypeByCode } from './series.js';

/**
 * Series that providers have from a person's profile alone, entered or measured at a time that the vendor does not say. They
 * are stored at the time at which they were first seen, which is no time of a measurement.
 */
const PROFILE_SERIES: Readonly<Partial<Record<ProviderId, readonly SeriesCode[]>>> = {
  whoop: ['height', 'weight'],
  oura: ['height', 'weight'],
};

/** Each of those series as its provider and the id of its type. */
export const PROFILE_VALUES: readonly { provider: string; typeId: number }[] = Object.entries(PROFILE_SERIES).flatMap(
  ([provider, codes]) => codes.map((code) => ({ provider, typeId: seriesTypeByCode(code).id })),
);
