import type { Command } from 'commander';
import type { Bind } from './bind.js';

/** `stats` */
export function addStatsCommand(program: Command, bind: Bind): void {
  program
    .command('stats')
    .description('How many users, connections, samples and events the service holds. Requires a developer login.')
    .summary('how much the service holds')
    .action(bind(async (cli) => (await import('../actions/stats.js')).stats(cli)));
}
