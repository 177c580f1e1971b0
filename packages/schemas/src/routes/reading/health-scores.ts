import { SCORE_CATEGORIES } from '@healthd/model';
import { z } from 'zod';
import { envelope, instantSchema, localOffsetSchema, uuidSchema, zoneOffsetSchema } from '../../envelope.js';
import { intParam, userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { providerLabelSchema } from '../../words.js';
import { momentParam } from './moment.js';

export const healthScoreSchema = z
  .object({
    category: z.string().meta({ examples: [...SCORE_CATEGORIES] }),
    value: z.number().nullable(),
    min: z.number().nullable().meta({ description: 'Lowest value of the scale; null if unknown' }),
    max: z.number().nullable().meta({ description: 'Highest value of the scale; null if unlimited or unknown' }),
    qualifier: z.string().nullable().meta({ description: 'Rating in the provider’s words' }),
    recorded_at: instantSchema,
    zone_offset: zoneOffsetSchema,
    local_offset: localOffsetSchema,
    components: z
      .record(z.string(), z.object({ value: z.number().nullable(), qualifier: z.string().nullable() }))
      .nullable(),
    id: uuidSchema,
    data_source_id: uuidSchema.nullable(),
    provider: z.string(),
  })
  .meta({ id: 'HealthScore' });
export type HealthScore = z.infer<typeof healthScoreSchema>;

export const listHealthScores = defineRoute({
  id: 'listHealthScores',
  method: 'GET',
  path: '/api/v1/users/{user_id}/health-scores',
  tag: 'Health scores',
  summary: 'List scores from providers, newest first',
  description:
    'Returns scores recorded in `[start_date, end_date)`. Pages use `offset` and `limit`; there are no cursors.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'health_score', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({
    start_date: momentParam.optional(),
    end_date: momentParam.optional(),
    category: z.enum(SCORE_CATEGORIES).optional(),
    provider: providerLabelSchema.optional(),
    limit: intParam({ min: 1, max: 1000, default: 50 }),
    offset: intParam({ min: 0, max: 2_147_483_647, default: 0 }),
  }),
  response: envelope(healthScoreSchema),
});
