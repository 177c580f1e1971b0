import { once } from 'node:events';
import { ASSISTANT_CLIENT, CLIENT_HEADER } from '@healthd/contract';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import type { Bind } from './bind.js';

/** `mcp` */
export function addMcpCommand(program: Command, bind: Bind): void {
  program
    .command('mcp')
    .description(
      'Serves Model Context Protocol tools on stdin and stdout. An assistant can read users, activity, ' +
        'sleep, workouts, samples and coverage, but cannot change anything. A read-only API key is enough. The audit trail ' +
        'records each read under that key.',
    )
    .summary('let an assistant read data (Model Context Protocol)')
    .addHelpText('after', EXAMPLE)
    .action(bind(mcp));
}

const EXAMPLE = `
In the assistant’s configuration:
  {"mcpServers": {"healthd": {
    "command": "healthctl", "args": ["mcp"],
    "env": {"HEALTHCTL_URL": "https://health.example.org", "HEALTHCTL_TOKEN": "sk-…"}
  }}}
`;

/**
 * `healthctl mcp`: serves until the assistant closes stdin or the command is interrupted. Its requests identify an
 * assistant, so the service withholds data whose vendor forbids AI use.
 */
async function mcp(cli: Cli): Promise<void> {
  // Loads the SDK only here. It takes 100 ms, which would slow down help and completion.
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { createMcpServer } = await import('../mcp/server.js');
  const server = createMcpServer((await cli.client()).withHeaders({ [CLIENT_HEADER]: ASSISTANT_CLIENT }));
  const transport = new StdioServerTransport();
  const closed = Promise.race([once(process.stdin, 'end'), once(cli.signal, 'abort')]);
  await server.connect(transport);
  await closed;
  await server.close();
}
