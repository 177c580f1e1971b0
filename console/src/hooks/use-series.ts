import { mergeAttributions } from '@healthd/client';
import { getSingleTimeseries } from '@healthd/contract';
import type { Resolution, SeriesCode } from '@healthd/model';
import type { Attribution, TimeSeriesSample } from '@healthd/schemas';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { keepSameSubject } from './keep-same-subject.js';
import { queryKeys } from './query-keys.js';

const PAGE_SIZE = 10_000;
/** Maximum number of samples: more than a chart can resolve, yet drawn within two frames. */
export const MAX_SAMPLES = 100_000;

/** Range of a series in UTC instants; the end is exclusive. */
export interface SeriesRange {
  type: SeriesCode;
  start_time: string;
  end_time: string;
  resolution: Resolution;
}

/** Samples of one series from all sources, oldest first. */
export interface WholeSeries {
  /** Range of the shown samples. Previous data of the same series remains visible while new data loads. */
  range: SeriesRange;
  samples: TimeSeriesSample[];
  /** True if there are more than {@link MAX_SAMPLES}. */
  isCut: boolean;
  /** Local days before this date are archived; undefined if the range has no archived days. */
  archivedBefore: string | undefined;
  /** Attribution texts that the vendors require. */
  attribution: Attribution;
}

/** Reads a series in pages. */
export function useSeries(userId: string, range: SeriesRange) {
  const queryKey = queryKeys.series(userId, range.type, range);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => readSeries(userId, range, signal),
    placeholderData: keepSameSubject(queryKey),
  });
}

async function readSeries(userId: string, range: SeriesRange, signal: AbortSignal): Promise<WholeSeries> {
  const { type, ...query } = range;
  const samples: TimeSeriesSample[] = [];
  let attribution: Attribution = [];
  let cursor: string | undefined;
  for (;;) {
    const params = { user_id: userId, series_type: type };
    const page = await client.call(getSingleTimeseries, {
      params,
      query: { ...query, limit: PAGE_SIZE, cursor },
      signal,
    });
    for (const sample of page.data) samples.push(sample);
    attribution = mergeAttributions(attribution, page.metadata.attribution);
    cursor = page.pagination.next_cursor ?? undefined;
    const hasMore = page.pagination.has_more && cursor !== undefined;
    if (!hasMore || samples.length >= MAX_SAMPLES) {
      return { range, samples, isCut: hasMore, archivedBefore: page.metadata.archived_before, attribution };
    }
  }
}
