import { getDataSummary, getDataVolume } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import type { Cli } from '../cli.js';
import { type RecordShape, writeRecord } from '../output/writer.js';
import { numberText } from '../ui/amounts.js';

/** Amount of data that a deletion would remove. */
interface Held {
  user_id: string;
  provider: string | null;
  days: number;
  samples: number;
  workouts: number;
  sleep_sessions: number;
}

const SHAPE = {
  fields: ['user_id', 'provider', 'days', 'samples', 'workouts', 'sleep_sessions'],
  pairs: (one: Held) =>
    [
      ['Days with samples', numberText(one.days)],
      ['Samples', numberText(one.samples)],
      ['Workouts', numberText(one.workouts)],
      ['Nights and naps', numberText(one.sleep_sessions)],
    ] as const,
} satisfies RecordShape<Held>;

/** Shows which data of a user, or of one provider, a deletion would remove. Changes nothing. */
export async function showHeld(cli: Cli, user: string, provider?: ProviderId): Promise<void> {
  cli.willWrite(SHAPE);
  const client = await cli.client();
  const [summary, { days }] = await Promise.all([
    client.call(getDataSummary, { params: { user_id: user }, signal: cli.signal }),
    client.call(getDataVolume, { query: { user_id: user, provider }, signal: cli.signal }),
  ]);
  const part = summary.by_provider.find((one) => one.provider === provider);
  const held: Held =
    provider === undefined
      ? {
          user_id: user,
          provider: null,
          days,
          samples: summary.total_data_points,
          workouts: summary.total_workouts,
          sleep_sessions: summary.total_sleep_events,
        }
      : {
          user_id: user,
          provider,
          days,
          samples: part?.data_points ?? 0,
          workouts: part?.workout_count ?? 0,
          sleep_sessions: part?.sleep_count ?? 0,
        };
  await writeRecord(cli.sink, SHAPE, held);
  cli.say('Nothing was changed.');
}
