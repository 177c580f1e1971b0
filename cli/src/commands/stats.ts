import { getDashboardStats, getServiceActivity } from '@healthd/contract';
import type { DashboardStats, ServiceActivity } from '@healthd/schemas';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { type RecordShape, type Shape, writeRecord, writeRows } from '../output/writer.js';
import { countText, numberText } from '../ui/amounts.js';
import type { Bind } from './bind.js';

interface StatsOptions {
  days?: string;
}

/** `stats` */
export function addStatsCommand(program: Command, bind: Bind): void {
  program
    .command('stats')
    .description(
      'Counts users, connections, samples and events; with --days, shows daily activity of the service. Requires a developer login.',
    )
    .summary('count stored data and daily activity')
    .option('--days <number>', 'show samples, active users and runs of this many days including today, up to 31')
    .action(
      bind<[StatsOptions]>(async (cli, { days }) => {
        await (days === undefined ? stats(cli) : statsByDay(cli, days));
      }),
    );
}

const SHAPE = {
  fields: ['total_users', 'active_conn', 'data_points', 'event_records', 'connections_coverage'],
  pairs: ({ total_users, active_conn, data_points, event_records, connections_coverage: coverage }: DashboardStats) =>
    [
      ['Users', numberText(total_users.count)],
      ['Users connected', numberText(coverage.users_with_active)],
      ['Connections', numberText(active_conn.count)],
      ['Samples', numberText(data_points.count)],
      ['Archived samples', numberText(data_points.archived)],
      ['Workouts', numberText(event_records.workouts)],
      ['Nights and naps', numberText(event_records.sleep)],
      ['Cycles', numberText(event_records.menstrual_cycles)],
      ['Providers', coverage.top_providers.map(({ provider, count }) => `${provider} ${numberText(count)}`).join(', ')],
    ] as const,
} satisfies RecordShape<DashboardStats>;

/** `healthctl stats` */
async function stats(cli: Cli): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  await writeRecord(cli.sink, SHAPE, await client.call(getDashboardStats, { signal: cli.signal }));
}

type Day = ServiceActivity['days'][number];

const BY_DAY = {
  fields: ['date', 'samples', 'active_users', 'runs', 'failed_runs'],
  columns: [
    { header: 'Date', cell: ({ date }) => date },
    { header: 'Samples', cell: ({ samples }) => numberText(samples) },
    { header: 'Active users', cell: ({ active_users: users }) => numberText(users) },
    { header: 'Runs', cell: ({ runs }) => numberText(runs) },
    { header: 'Failed', cell: ({ failed_runs: failed }) => numberText(failed) },
  ],
} satisfies Shape<Day>;

/** `healthctl stats --days`: oldest first, with the vendors' notifications. */
async function statsByDay(cli: Cli, days: string): Promise<void> {
  cli.willWrite(BY_DAY);
  const client = await cli.client();
  const activity = await client.call(getServiceActivity, { query: { days }, signal: cli.signal });
  await writeRows(cli.sink, BY_DAY, activity.days);
  for (const { provider, accepted, refused, badly_signed: badlySigned } of activity.notifications) {
    const rejectedCount = refused + badlySigned;
    cli.say(
      `${provider}: ${numberText(accepted)} changes reported, ${countText(rejectedCount, 'delivery', 'deliveries')} rejected.`,
    );
  }
}
