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

// Words that many routes share, each a component of the document.

/**
 * The document and its refusals name the providers that have an adapter. The ids of all others are understood too, because
 * data that came from them elsewhere may be stored here.
 */
export const providerSchema: z.ZodType<ProviderId, string> = z
  .string()
  .transform((text, context) => (isProviderId(text) ? text : refused(context, INTEGRATED_PROVIDER_IDS)))
  .meta({
    id: 'Provider',
    enum: INTEGRATED_PROVIDER_IDS,
    description: 'Where data come from: a vendor’s cloud, or the health store of a phone',
  });

const LABELS = [...INTEGRATED_PROVIDER_IDS, INTERNAL_PROVIDER, UNKNOWN_PROVIDER] as const;

/** As {@link providerSchema}, with what is in answers where the service computed a value or no one is known. */
export const providerLabelSchema: z.ZodType<ProviderLabel, string> = z
  .string()
  .transform((text, context) => {
    if (isProviderId(text) || text === INTERNAL_PROVIDER || text === UNKNOWN_PROVIDER) return text;
    return refused(context, LABELS);
  })
  .meta({ enum: LABELS });

function refused(context: Parameters<typeof problem>[0], values: readonly string[]): never {
  const expected = alternatives(values);
  return problem(context, 'enum', `Input should be ${expected}`, { expected });
}

export const seriesTypeSchema = z
  .enum(SERIES_CODES)
  .meta({ id: 'SeriesType', description: 'A series of samples; `/api/v1/meta/coverage` has the unit of each' });

export const deviceTypeSchema = z.enum(DEVICE_TYPES).meta({ id: 'DeviceType', description: 'Kind of a device' });

export const sleepStageSchema = z
  .enum(SLEEP_STAGES)
  .meta({ id: 'SleepStage', description: 'Stage of sleep; `sleeping`: asleep, stage not known' });
