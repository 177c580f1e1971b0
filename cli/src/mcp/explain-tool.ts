import { explainActivitySummary } from '@healthd/contract';
import { z } from 'zod';
import { PERIOD_INPUT } from './period.js';
import { defineTool } from './tool.js';

export const EXPLAIN_TOOL = defineTool({
  name: 'explain_day',
  title: 'Where the numbers of a day come from',
  description:
    'For steps, distance, floors and energy of one day: which sources had values, which one was chosen and why, and which source gave which part.',
  input: {
    user_id: PERIOD_INPUT.user_id,
    date: z.iso.date().describe('The day, YYYY-MM-DD, on the wall clock of the person'),
    merge: z
      .enum(['source', 'interval'])
      .optional()
      .describe('How sources that overlap become one amount; without it the setting of the service'),
  },
  run: ({ client, signal }, { user_id, date, merge }) =>
    client.call(explainActivitySummary, { params: { user_id }, query: { date, merge }, signal }),
});
