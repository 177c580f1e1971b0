import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Cli } from '../cli.js';
import { createMcpServer } from '../mcp/server.js';

/** `healthctl mcp`: serves until the assistant closes stdin, or until the command is interrupted. */
export async function mcp(cli: Cli): Promise<void> {
  const server = createMcpServer(await cli.client());
  const transport = new StdioServerTransport();
  const closed = Promise.race([once(process.stdin, 'end'), once(cli.signal, 'abort')]);
  await server.connect(transport);
  await closed;
  await server.close();
}
