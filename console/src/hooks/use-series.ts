import { mergeAttributions } from '@healthd/client';
import { getSingleTimeseries } from '@healthd/contract';
import type { Resolution, SeriesCode } from '@healthd/model';
import type { Attribution, TimeSeriesSample } from '@healthd/schemas';
import { useQuery } from '@tanstack/react-query';
import { client } from '../session.js';
import { keepSameSubject } from './keep-same-subject.js';
import { queryKeys } from './query-keys.js';

const PAGE_SIZE = 10_000;
/** More than a chart can show apart, and what a browser still draws within a frame or two. */
export const MOST_SAMPLES = 100_000;

/** What is read of a series: instants in UTC, the last one not included. */
export interface SeriesRange {
  type: SeriesCode;
  start_time: string;
  end_time: string;
  resolution: Resolution;
}

/** Samples of one series of all sources, oldest first. */
export interface WholeSeries {
  /** What was asked for: while other figures of the same series are read, the ones before are shown. */
  range: SeriesRange;
  samples: TimeSeriesSample[];
  /** Whether there are more than {@link MOST_SAMPLES}. */
  isCut: boolean;
  /** Local days before this one are archived; undefined when the range has none. */
  archivedBefore: string | undefined;
  /** Texts that the vendors of these samples demand beside them. */
  attribution: Attribution;
}

/** Reads a series page by page. */
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
    if (!hasMore || samples.length >= MOST_SAMPLES) {
      return { range, samples, isCut: hasMore, archivedBefore: page.metadata.archived_before, attribution };
    }
  }
}
