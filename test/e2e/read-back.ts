import { getSingleTimeseries } from '@healthd/contract';
import type { SeriesCode } from '@healthd/model';
import type { Envelope, TimeSeriesSample } from '@healthd/schemas';
import type { Daemon } from '../support/daemon.js';

/** Returns all rows of a list, page by page. */
export async function allPages<T>(read: (cursor: string | undefined) => Promise<Envelope<T>>): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    rows.push(...page.data);
    cursor = page.pagination.next_cursor ?? undefined;
    if (cursor === undefined && page.pagination.total_count !== null && page.pagination.total_count !== rows.length) {
      throw new Error(`${rows.length} rows were read of ${page.pagination.total_count}`);
    }
  } while (cursor !== undefined);
  return rows;
}

/** Returns all samples, or buckets, of one series. */
export function samplesOf(
  daemon: Daemon,
  userId: string,
  type: string,
  query: { start_date: string; end_date: string; resolution?: 'raw' | '1hour' },
): Promise<TimeSeriesSample[]> {
  const params = { user_id: userId, series_type: type as SeriesCode };
  return allPages((cursor) =>
    daemon.client.call(getSingleTimeseries, { params, query: { ...query, cursor, limit: '10000' } }),
  );
}

/** Returns the sum of the values of each device. */
export function sumsBySource(samples: readonly TimeSeriesSample[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { source, value } of samples) {
    const device = source.device ?? source.source ?? '';
    sums[device] = (sums[device] ?? 0) + value;
  }
  return sums;
}
