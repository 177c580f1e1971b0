import type { Command } from 'commander';
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
    .action(bind(async (cli) => (await import('../actions/mcp.js')).mcp(cli)));
}

const EXAMPLE = `
In the configuration of the assistant:
  {"mcpServers": {"healthd": {
    "command": "healthctl", "args": ["mcp"],
    "env": {"HEALTHCTL_URL": "https://health.example.org", "HEALTHCTL_TOKEN": "sk-…"}
  }}}
`;
