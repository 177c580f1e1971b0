import { z } from 'zod';
import { instantSchema } from '../../envelope.js';
import { seriesTypeSchema } from '../../words.js';

/** Samples of a workout’s or night’s source during the session, one entry per series. */
export const sessionSamplesSchema = z
  .array(
    z.object({
      type: seriesTypeSchema,
      unit: z.string(),
      samples: z.array(z.object({ timestamp: instantSchema, value: z.number() })),
      complete: z.boolean().meta({ description: 'False if there are more samples; read them as a time series' }),
    }),
  )
  .meta({ id: 'SessionSamples', description: 'Samples of the session’s source from its start until before its end' });
export type SessionSamples = z.infer<typeof sessionSamplesSchema>;
