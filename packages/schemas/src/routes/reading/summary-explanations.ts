import { z } from 'zod';
import { attributionSchema, daySchema, withheldSchema } from '../../envelope.js';
import { userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
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

const common = {
  method: 'GET',
  tag: 'Summaries',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  status: 200,
  errors: [404],
} as const;

/** Description that all explanations share. */
const CONTENT =
  'Lists every candidate source of each group of figures with its values and rank, the winner, and the rule that ranked the others behind it.';

export const explainSleepSummary = defineRoute({
  ...common,
  id: 'explainSleepSummary',
  path: '/api/v1/users/{user_id}/summaries/sleep/explain',
  summary: 'Explain a day’s sleep',
  description: `${CONTENT} The date is the local day of waking.`,
  audit: { resource: 'sleep_summary', action: 'read' },
  ...explainDay,
});

export const explainRecoverySummary = defineRoute({
  ...common,
  id: 'explainRecoverySummary',
  path: '/api/v1/users/{user_id}/summaries/recovery/explain',
  summary: 'Explain a day’s recovery',
  description: `${CONTENT} Sleep, heart rate variability and oxygen saturation come from the sleep summary.`,
  audit: { resource: 'recovery_summary', action: 'read' },
  ...explainDay,
});

export const explainBodySummary = defineRoute({
  ...common,
  id: 'explainBodySummary',
  path: '/api/v1/users/{user_id}/summaries/body/explain',
  summary: 'Explain the body values',
  description: `${CONTENT} The newest measured value wins, whatever its source. For averages, the response lists the recovery values in the average.`,
  audit: { resource: 'body_summary', action: 'read' },
  params: userParams,
  query: bodyParams.extend({
    date: momentParam.optional().meta({
      description: 'Explains the body values at the end of this local day, or at this instant. Default: now',
    }),
  }),
  response: summaryExplanationSchema,
});
