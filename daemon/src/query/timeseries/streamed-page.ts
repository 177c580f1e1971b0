import type { Envelope, TimeSeriesSample } from '@healthd/schemas';
import type pg from 'pg';
import type { Position } from '../cursors.js';
import { localOffsets } from '../local-offsets.js';
import { pageEdges } from '../page.js';
import { aroundRows } from '../page-envelope.js';
import type { SummarySource } from '../summary-source.js';
import { type PreparedRead, prepareRead, type TimeseriesParams } from './prepared-read.js';
import type { RawRow } from './raw-page.sql.js';
import { RawSampleText, rawKey, readRawRows } from './raw-samples.js';
import { countOf } from './sample-count.js';
import { readTimeseries } from './timeseries.js';

/** Rows that one statement of a streamed page fetches. */
const STREAMED_ROWS = 1_000;

/**
 * The same answer as {@link readTimeseries} as JSON text, piece by piece: while one piece is on its way, the next one is
 * read, so that a page of any size takes the memory of two pieces. Pages of buckets or of chosen sources and pages that go back are made whole.
 */
export async function streamTimeseries(
  summaries: SummarySource,
  userKey: number,
  params: TimeseriesParams,
): Promise<Envelope<TimeSeriesSample> | AsyncIterable<string>> {
  const { pool } = summaries;
  const prepared = await prepareRead(pool, userKey, params);
  const isWhole = params.limit <= STREAMED_ROWS || params.resolution !== 'raw' || params.filterByPriority;
  if (isWhole || prepared.position?.before) return readTimeseries(summaries, userKey, params);
  return rawChunks(pool, userKey, params, prepared);
}

async function* rawChunks(
  pool: pg.Pool,
  userKey: number,
  params: TimeseriesParams,
  { cursors, position, selection, sources, archivedBefore, withheld }: PreparedRead,
): AsyncGenerator<string> {
  const { start, end, resolution, limit } = params;
  const read = (after: Position | undefined, shown: number) =>
    awaitedLater(readRawRows(pool, userKey, selection, after, Math.min(STREAMED_ROWS, limit + 1 - shown)));
  const counting = awaitedLater(countOf(pool, userKey, params, selection));
  const text = new RawSampleText(sources);
  let reading: Promise<RawRow[]> | undefined = read(position, 0);
  let first: RawRow | undefined;
  let last: RawRow | undefined;
  const seen = new Set<string>();
  let shown = 0;
  let hasMore = false;
  while (reading) {
    const rows: RawRow[] = await reading;
    hasMore = shown + rows.length > limit;
    const page = hasMore ? rows.slice(0, limit - shown) : rows;
    const opening = first === undefined ? '{"data":[' : ',';
    first ??= page[0];
    last = page.at(-1) ?? last;
    for (const id of new Set(page.map(({ source_id }) => source_id))) seen.add(sources.get(id)?.provider ?? '');
    shown += page.length;
    const goesOn = last !== undefined && rows.length === STREAMED_ROWS && !hasMore;
    reading = goesOn && last ? read({ key: rawKey(last), before: false }, shown) : undefined;
    if (page.length === 0 && first !== undefined) continue;
    const localOffsetOf = await localOffsets(pool, userKey, page, ({ start_ms }) => start_ms);
    yield opening + text.list(page, localOffsetOf);
  }
  const edges = pageEdges(first, last, hasMore, position, cursors, rawKey);
  const facts = { start, end, resolution, archivedBefore, withheld, totalCount: await counting };
  const around = aroundRows({ ...edges, hasMore }, shown, facts);
  const attribution = params.attributionOf?.(seen);
  const metadata = attribution ? { ...around.metadata, attribution } : around.metadata;
  yield `],${JSON.stringify({ ...around, metadata }).slice(1)}`;
}

/** A promise whose failure counts only where it is awaited: the client may have left by then. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
