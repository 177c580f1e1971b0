import { z } from 'zod';
import { instantSchema } from '../../envelope.js';
import { seriesTypeSchema } from '../../words.js';

/** What the source of a workout or night measured meanwhile, one entry per series that has samples. */
export const sessionSamplesSchema = z
  .array(
    z.object({
      type: seriesTypeSchema,
      unit: z.string(),
      samples: z.array(z.object({ timestamp: instantSchema, value: z.number() })),
      complete: z.boolean().meta({ description: 'False when there are more; read them as a time series' }),
    }),
  )
  .meta({ id: 'SessionSamples', description: 'Samples of the same source from start until before the end' });
export type SessionSamples = z.infer<typeof sessionSamplesSchema>;
