import type { Command } from 'commander';
import type { Bind } from './bind.js';

interface StatsOptions {
  days?: string;
}

/** `stats` */
export function addStatsCommand(program: Command, bind: Bind): void {
  program
    .command('stats')
    .description(
      'How many users, connections, samples and events the service holds; with --days what it did day by day. Requires a developer login.',
    )
    .summary('how much the service holds and does')
    .option('--days <number>', 'samples, active users and runs of so many days, today included, up to 31')
    .action(
      bind<[StatsOptions]>(async (cli, { days }) => {
        const actions = await import('../actions/stats.js');
        await (days === undefined ? actions.stats(cli) : actions.statsByDay(cli, days));
      }),
    );
}
