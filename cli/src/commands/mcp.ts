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
      'Serves tools of the Model Context Protocol on stdin and stdout, so that an assistant can read users, activity, ' +
        'sleep, workouts, samples and coverage. Nothing can be changed through it; a read-only API key is enough. What ' +
        'the assistant reads is in the audit trail under that key.',
    )
    .summary('let an assistant read data (Model Context Protocol)')
    .addHelpText('after', EXAMPLE)
    .action(bind(mcp));
}

const EXAMPLE = `
In the configuration of the assistant:
  {"mcpServers": {"healthd": {
    "command": "healthctl", "args": ["mcp"],
    "env": {"HEALTHCTL_URL": "https://health.example.org", "HEALTHCTL_TOKEN": "sk-…"}
  }}}
`;

/**
 * `healthctl mcp`: serves until the assistant closes stdin, or until the command is interrupted. Its
 * calls say that an assistant reads, so the service withholds data whose vendor forbids AI use.
 */
async function mcp(cli: Cli): Promise<void> {
  // Loading the SDK takes 100 ms, which help and completion must not pay.
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { createMcpServer } = await import('../mcp/server.js');
  const server = createMcpServer((await cli.client()).withHeaders({ [CLIENT_HEADER]: ASSISTANT_CLIENT }));
  const transport = new StdioServerTransport();
  const closed = Promise.race([once(process.stdin, 'end'), once(cli.signal, 'abort')]);
  await server.connect(transport);
  await closed;
  await server.close();
}
