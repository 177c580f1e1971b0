import type { ProviderId } from './providers.js';
import { type SeriesCode, seriesTypeByCode } from './series.js';

/** The writer of values of Polar's settings of a person for which it gives no time. */
export const POLAR_PROFILE_WRITER = 'polar_api/profile';

/**
 * Series that providers have from a person's profile, entered or measured at a time that the vendor does not say. They are
 * stored at the time at which they were first seen, which is no time of a measurement. Where a provider has measurements of
 * the same series, `writer` distinguishes the values of the profile.
 */
const PROFILE_SERIES: readonly { provider: ProviderId; codes: readonly SeriesCode[]; writer?: string }[] = [
  { provider: 'whoop', codes: ['height', 'weight'] },
  { provider: 'oura', codes: ['height', 'weight'] },
  {
    provider: 'polar',
    codes: ['weight', 'height', 'resting_heart_rate', 'vo2_max'],
    writer: POLAR_PROFILE_WRITER,
  },
];

/** Each of those series as its provider, the id of its type, and its writer where only that one's values are of the profile. */
export const PROFILE_VALUES: readonly { provider: ProviderId; typeId: number; writer: string | null }[] =
  PROFILE_SERIES.flatMap(({ provider, codes, writer = null }) =>
    codes.map((code) => ({ provider, typeId: seriesTypeByCode(code).id, writer })),
  );

/** {@link PROFILE_VALUES} side by side, as parameters of a statement: providers, types, writers. */
export const PROFILE_VALUE_COLUMNS = [
  PROFILE_VALUES.map(({ provider }) => provider),
  PROFILE_VALUES.map(({ typeId }) => typeId),
  PROFILE_VALUES.map(({ writer }) => writer),
] as const;
