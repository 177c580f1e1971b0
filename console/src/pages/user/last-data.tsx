import { getDataSummary } from '@healthd/contract';
import { useQuery } from '@tanstack/react-query';
import { formatInstant } from '../../format.js';
import { client } from '../../session.js';

/** When the newest stored data of a user were measured: what is stored tells it, not whether a sync has ended yet. */
export function LastData({ userId }: { userId: string }) {
  const { data } = useQuery({
    queryKey: ['data', userId],
    queryFn: ({ signal }) => client.call(getDataSummary, { params: { user_id: userId }, query: {}, signal }),
  });
  if (!data) return null;
  const newest = Object.values(data.last_seen).sort().at(-1);
  if (newest) return <span>Latest sample {formatInstant(newest)}</span>;
  return <span>{data.total_sleep_events + data.total_workouts > 0 ? 'No samples yet' : 'No data received yet'}</span>;
}
