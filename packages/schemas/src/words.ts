import {
  DEVICE_TYPES,
  INTEGRATED_PROVIDER_IDS,
  INTERNAL_PROVIDER,
  isProviderId,
  type ProviderId,
  type ProviderLabel,
  SERIES_CODES,
  SLEEP_STAGES,
  UNKNOWN_PROVIDER,
} from '@healthd/model';
import { z } from 'zod';
import { alternatives, problem } from './problem.js';

// Enums that several routes share. Each is a component of the OpenAPI document.

/**
 * Accepts every known provider ID, because data of providers without an adapter may have been imported. The OpenAPI
 * document and error messages list only providers with an adapter.
 */
export const providerSchema: z.ZodType<ProviderId, string> = z
  .string()
  .transform((text, context) => (isProviderId(text) ? text : rejectWord(context, INTEGRATED_PROVIDER_IDS)))
  .meta({
    id: 'Provider',
    enum: INTEGRATED_PROVIDER_IDS,
    description: 'Source of data: a vendor’s cloud or a phone’s health store',
  });

const LABELS = [...INTEGRATED_PROVIDER_IDS, INTERNAL_PROVIDER, UNKNOWN_PROVIDER] as const;

/** {@link providerSchema}, plus the response values for computed data and for an unknown provider. */
export const providerLabelSchema: z.ZodType<ProviderLabel, string> = z
  .string()
  .transform((text, context) => {
    if (isProviderId(text) || text === INTERNAL_PROVIDER || text === UNKNOWN_PROVIDER) return text;
    return rejectWord(context, LABELS);
  })
  .meta({ enum: LABELS });

function rejectWord(context: Parameters<typeof problem>[0], values: readonly string[]): never {
  const expected = alternatives(values);
  return problem(context, 'enum', `Input should be ${expected}`, { expected });
}

export const seriesTypeSchema = z
  .enum(SERIES_CODES)
  .meta({ id: 'SeriesType', description: 'Series of samples; `/api/v1/meta/coverage` lists the units' });

export const deviceTypeSchema = z.enum(DEVICE_TYPES).meta({ id: 'DeviceType', description: 'Device type' });

export const sleepStageSchema = z
  .enum(SLEEP_STAGES)
  .meta({ id: 'SleepStage', description: 'Sleep stage; `sleeping` means asleep at an unknown stage' });
