import type { Command } from 'commander';
import type { Bind } from './bind.js';

/** `coverage` */
export function addCoverageCommand(program: Command, bind: Bind): void {
  program
    .command('coverage')
    .description(
      'Lists every series and field that the service can hold, its unit, and the providers that supply it. Needs no login.',
    )
    .summary('which provider supplies what')
    .action(bind(async (cli) => (await import('../actions/data-overview.js')).coverage(cli)));
}
