import { diagnoseUser } from '@healthd/contract';
import { PERIOD_INPUT } from './period.js';
import { defineTool } from './tool.js';

export const DIAGNOSE_TOOL = defineTool({
  name: 'diagnose_user',
  title: 'Diagnose a user’s missing data',
  description:
    'State of each provider of a user: cause, its start, last data, next attempt and fix. The most severe cause comes first.',
  input: { user_id: PERIOD_INPUT.user_id },
  run: ({ client, signal }, { user_id }) => client.call(diagnoseUser, { params: { user_id }, query: {}, signal }),
});
