import { getCoverage } from '@healthd/contract';
import { defineTool } from './tool.js';

export const COVERAGE_TOOL = defineTool({
  name: 'get_coverage',
  title: 'Which provider supplies what',
  description: 'Every series and field that the service supports, with its unit and providers.',
  input: {},
  hasOwnTextOnly: true,
  run: ({ client, signal }) => client.call(getCoverage, { signal }),
});
