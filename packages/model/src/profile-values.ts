import type { ProviderId } from './providers.js';
import { type SeriesCode, seriesTypeByCode } from './series.js';

/** Writer of profile values that Polar reports without a time. */
export const POLAR_PROFILE_WRITER = 'polar_api/profile';

/**
 * Series that a provider reads from a user's profile. The vendor does not report when these values were entered or
 * measured, so they are stored at the time of their first observation. If a provider also has measurements of the
 * series, `writer` identifies the profile values.
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

/** Profile series as provider, type id and writer. The writer is set only if it identifies the profile values. */
export const PROFILE_VALUES: readonly { provider: ProviderId; typeId: number; writer: string | null }[] =
  PROFILE_SERIES.flatMap(({ provider, codes, writer = null }) =>
    codes.map((code) => ({ provider, typeId: seriesTypeByCode(code).id, writer })),
  );

/** {@link PROFILE_VALUES} in columns, as statement parameters: providers, types, writers. */
export const PROFILE_VALUE_COLUMNS = [
  PROFILE_VALUES.map(({ provider }) => provider),
  PROFILE_VALUES.map(({ typeId }) => typeId),
  PROFILE_VALUES.map(({ writer }) => writer),
] as const;
