import { once } from 'node:events';
import { ASSISTANT_CLIENT, CLIENT_HEADER } from '@healthd/contract';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Cli } from '../cli.js';
import { createMcpServer } from '../mcp/server.js';

/**
 * `healthctl mcp`: serves until the assistant closes stdin, or until the command is interrupted. Its
 * calls say that an assistant reads, so the service withholds data whose vendor forbids AI use.
 */
export async function mcp(cli: Cli): Promise<void> {
  const server = createMcpServer((await cli.client()).withHeaders({ [CLIENT_HEADER]: ASSISTANT_CLIENT }));
  const transport = new StdioServerTransport();
  const closed = Promise.race([once(process.stdin, 'end'), once(cli.signal, 'abort')]);
  await server.connect(transport);
  await closed;
  await server.close();
}
