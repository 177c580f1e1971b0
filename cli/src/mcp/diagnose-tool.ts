import { diagnoseUser } from '@healthd/contract';
import { PERIOD_INPUT } from './period.js';
import { defineTool } from './tool.js';

export const DIAGNOSE_TOOL = defineTool({
  name: 'diagnose_user',
  title: 'Why data do or do not arrive',
  description:
    'The state of each provider of a user: cause, since when, last data, next try, and what mends it. The worst comes first.',
  input: { user_id: PERIOD_INPUT.user_id },
  run: ({ client, signal }, { user_id }) => client.call(diagnoseUser, { params: { user_id }, query: {}, signal }),
});
