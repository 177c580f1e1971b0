import { z } from 'zod';
import { attributionSchema, daySchema, withheldSchema } from '../../envelope.js';
import { userParams } from '../../parameters.js';
import { groupExplanationSchema, mayChangeSchema } from './activity-explanation.js';
import { bodyParams } from './body.js';
import { momentParam } from './moment.js';

export const summaryExplanationSchema = z
  .object({
    date: daySchema,
    may_change: mayChangeSchema,
    groups: z
      .array(groupExplanationSchema)
      .meta({ description: 'Groups of figures in the order of `sources`; empty if the summary has no row' }),
    withheld: withheldSchema,
    attribution: attributionSchema,
  })
  .meta({ id: 'SummaryExplanation' });
export type SummaryExplanation = z.infer<typeof summaryExplanationSchema>;

const explainDay = {
  params: userParams,
  query: z.object({ date: momentParam }),
  response: summaryExplanationSchema,
};

export const summaryExplanationRouteSchemas = {
  explainSleepSummary: explainDay,
  explainRecoverySummary: explainDay,
  explainBodySummary: {
    params: userParams,
    query: bodyParams.extend({
      date: momentParam.optional().meta({
        description: 'Explains the body at the end of this local day, or at this instant. Default: now',
      }),
    }),
    response: summaryExplanationSchema,
  },
};
