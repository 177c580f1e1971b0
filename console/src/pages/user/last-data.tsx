import { formatInstant, notAfterNow } from '../../format.js';
import { useDataSummary } from '../../hooks/use-data.js';

/** Time of the user's newest stored data, not of the last sync. */
export function LastData({ userId }: { userId: string }) {
  const { data } = useDataSummary(userId);
  if (!data) return null;
  const newest = Object.values(data.last_seen).sort().at(-1);
  if (newest) return <span>Latest sample {formatInstant(notAfterNow(newest))}</span>;
  return <span>{data.total_sleep_events + data.total_workouts > 0 ? 'No samples yet' : 'No data received yet'}</span>;
}
