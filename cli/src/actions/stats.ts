import { getDashboardStats } from '@healthd/contract';
import type { DashboardStats } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { type RecordShape, writeRecord } from '../output/writer.js';
import { numberText } from '../ui/amounts.js';

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
export async function stats(cli: Cli): Promise<void> {
  const client = await cli.client();
  await writeRecord(cli.sink, SHAPE, await client.call(getDashboardStats, { signal: cli.signal }));
}
