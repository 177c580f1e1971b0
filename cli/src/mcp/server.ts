import type { HealthdClient } from '@healthd/client';
import { diagnoseUser, getCoverage, listUsers } from '@healthd/contract';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { VERSION } from '../version.js';
import { ACTIVITY_TOOL } from './activity-tool.js';
import { EXPLAIN_TOOL } from './explain-tool.js';
import { MARKS_NOTICE, markText } from './marked-text.js';
import { PERIOD_INPUT } from './period.js';
import { SLEEP_TOOL } from './sleep-tool.js';
import { TIMESERIES_TOOL } from './timeseries-tool.js';
import { defineTool, failureResult, type Tool } from './tool.js';
import { WORKOUTS_TOOL } from './workouts-tool.js';

const USERS_TOOL = defineTool({
  name: 'get_users',
  title: 'Find users',
  description: 'Lists users, newest first, or the users that match a search.',
  input: {
    search: z.string().optional().describe('Part of a name, an email address, an external id or an id'),
    limit: z.int().min(1).max(100).default(10).describe('Maximum number of users'),
  },
  async run({ client, signal }, { search, limit }) {
    const page = await client.call(listUsers, {
      query: { search, limit, sort_by: 'created_at', sort_order: 'desc' },
      signal,
    });
    return {
      users: page.items.map(({ id, first_name, last_name, email }) => ({ id, first_name, last_name, email })),
      total: page.total,
    };
  },
});

const DIAGNOSE_TOOL = defineTool({
  name: 'diagnose_user',
  title: 'Diagnose a user’s missing data',
  description:
    'State of each provider of a user: cause, its start, last data, next attempt and fix. The most severe cause comes first.',
  input: { user_id: PERIOD_INPUT.user_id },
  run: ({ client, signal }, { user_id }) => client.call(diagnoseUser, { params: { user_id }, query: {}, signal }),
});

const COVERAGE_TOOL = defineTool({
  name: 'get_coverage',
  title: 'Supported data by provider',
  description: 'Every series and field that the service supports, with its unit and providers.',
  input: {},
  hasOwnTextOnly: true,
  run: ({ client, signal }) => client.call(getCoverage, { signal }),
});

const TOOLS: readonly Tool[] = [
  USERS_TOOL,
  ACTIVITY_TOOL,
  SLEEP_TOOL,
  WORKOUTS_TOOL,
  TIMESERIES_TOOL,
  EXPLAIN_TOOL,
  DIAGNOSE_TOOL,
  COVERAGE_TOOL,
];

const INSTRUCTIONS =
  'Health data of users of a healthd service. Start with get_users to find a user’s id. Dates are days in ' +
  'the user’s local time; null means unknown, never zero. "withheld" lists providers whose data the service leaves ' +
  `out because their terms forbid AI use; mention this to the reader. These tools cannot change anything. ${MARKS_NOTICE}`;

/** Creates a Model Context Protocol server with read-only tools. */
export function createMcpServer(client: HealthdClient): McpServer {
  const server = new McpServer({ name: 'healthd', version: VERSION }, { instructions: INSTRUCTIONS });
  for (const tool of TOOLS) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input,
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      },
      async (input: unknown, { signal }: { signal: AbortSignal }) => {
        try {
          const result = await tool.run({ client, signal }, input);
          return asText(tool.hasOwnTextOnly ? result : markText(result));
        } catch (error) {
          return { ...asText(failureResult(error)), isError: true };
        }
      },
    );
  }
  return server;
}

function asText(result: object) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(result) }] };
}
