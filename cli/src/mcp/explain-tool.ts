import {
  explainActivitySummary,
  explainBodySummary,
  explainRecoverySummary,
  explainSleepSummary,
} from '@healthd/contract';
import { z } from 'zod';
import { PERIOD_INPUT } from './period.js';
import { defineTool } from './tool.js';

const ROUTES = { sleep: explainSleepSummary, recovery: explainRecoverySummary, body: explainBodySummary } as const;

export const EXPLAIN_TOOL = defineTool({
  name: 'explain_day',
  title: 'Where the numbers of a day come from',
  description:
    'For one day of a summary: which sources had values, which one was selected, and the rule that ranked each other source lower. For activity, also the contribution of each source.',
  input: {
    user_id: PERIOD_INPUT.user_id,
    date: z.iso.date().describe('The day, YYYY-MM-DD, in the user’s local time'),
    summary: z.enum(['activity', 'sleep', 'recovery', 'body']).default('activity').describe('Summary to explain'),
    merge: z
      .enum(['source', 'interval'])
      .optional()
      .describe('For activity: how to combine overlapping sources. Default: the service’s setting'),
  },
  run: ({ client, signal }, { user_id, date, summary, merge }) => {
    const params = { user_id };
    if (summary === 'activity') return client.call(explainActivitySummary, { params, query: { date, merge }, signal });
    return client.call(ROUTES[summary], { params, query: { date }, signal });
  },
});
