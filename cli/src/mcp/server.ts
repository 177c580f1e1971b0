import type { HealthdClient } from '@healthd/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { VERSION } from '../version.js';
import { ACTIVITY_TOOL } from './activity-tool.js';
import { COVERAGE_TOOL } from './coverage-tool.js';
import { DIAGNOSE_TOOL } from './diagnose-tool.js';
import { EXPLAIN_TOOL } from './explain-tool.js';
import { MARKS_NOTICE, markText } from './marked-text.js';
import { SLEEP_TOOL } from './sleep-tool.js';
import { TIMESERIES_TOOL } from './timeseries-tool.js';
import { failureResult, type Tool } from './tool.js';
import { USERS_TOOL } from './users-tool.js';
import { WORKOUTS_TOOL } from './workouts-tool.js';

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
