import { BUCKET_SECONDS, round } from '@healthd/model';
import type { Envelope, TimeSeriesSample } from '@healthd/schemas';
import type pg from 'pg';
import { localOffsets } from '../local-offsets.js';
import { aroundRows, type Position, pageEdges, pageEnvelope, pageOf } from '../page.js';
import { instantText, offsetText, sumValue } from '../presentation.js';
import { type SourceMap, type SummarySource, sourceMetadata } from '../sources.js';
import { type BucketRow, readBuckets } from './buckets.js';
import { readChosenBuckets, readChosenSamples } from './chosen-rows.js';
import { type PreparedRead, prepareRead, type TimeseriesParams } from './prepared-read.js';
import { knownType, type RawPage, type RawRow, RawSampleText, rawKey, rawSample, readRawPage } from './raw-samples.js';
import type { EdgeOffsets } from './sample-count.js';

/** Number of rows per statement of a streamed page. */
const STREAMED_ROWS = 1_000;

/**
 * Returns the response of {@link readTimeseries}, for large pages as a stream of JSON text. Reads the next chunk while one
 * chunk is sent, so that a page of any size needs the memory of two chunks. Does not stream buckets, selected sources and
 * backward pages.
 */
export async function streamTimeseries(
  summaries: SummarySource,
  userId: string,
  params: TimeseriesParams,
): Promise<Envelope<TimeSeriesSample> | AsyncIterable<string>> {
  const { pool } = summaries;
  const prepared = await prepareRead(pool, userId, params);
  const isWhole = params.limit <= STREAMED_ROWS || params.resolution !== 'raw' || params.filterByPriority;
  if (isWhole || prepared.position?.before) return wholePage(summaries, params, prepared);
  return rawChunks(pool, params, prepared);
}

async function* rawChunks(
  pool: pg.Pool,
  params: TimeseriesParams,
  { userKey, cursors, position, selection, sources, archivedBefore, withheld, edges }: PreparedRead,
): AsyncGenerator<string> {
  const { start, end, resolution, limit } = params;
  const read = (after: Position | undefined, shown: number, edgesToCount?: EdgeOffsets) => {
    const size = Math.min(STREAMED_ROWS, limit + 1 - shown);
    return awaitedLater(readRawPage(pool, userKey, selection, after, size, edgesToCount));
  };
  const text = new RawSampleText(sources, params.includesIds ?? false);
  let reading: Promise<RawPage> | undefined = read(position, 0, edges);
  let totalCount: number | null = null;
  let first: RawRow | undefined;
  let last: RawRow | undefined;
  const seen = new Set<string>();
  let shown = 0;
  let hasMore = false;
  while (reading) {
    const chunk: RawPage = await reading;
    const { rows } = chunk;
    // Only the first chunk contains the total count.
    totalCount ??= chunk.totalCount;
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
  const cursorsAround = pageEdges(first, last, hasMore, position, cursors, rawKey);
  const facts = { start, end, resolution, archivedBefore, withheld, totalCount };
  const around = aroundRows({ ...cursorsAround, hasMore }, shown, facts);
  const attribution = params.attributionOf?.(seen);
  const metadata = attribution ? { ...around.metadata, attribution } : around.metadata;
  yield `],${JSON.stringify({ ...around, metadata }).slice(1)}`;
}

/** Prevents an unhandled rejection if the promise is never awaited, because the client may disconnect first. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * Reads samples of all sources. With a resolution, reads one value per bucket, source and type. Never merges sources.
 * `filterByPriority` selects one source for each local day and type. Such a list has no total count, because counting
 * would select sources for the whole range.
 */
export async function readTimeseries(
  summaries: SummarySource,
  userId: string,
  params: TimeseriesParams,
): Promise<Envelope<TimeSeriesSample>> {
  return wholePage(summaries, params, await prepareRead(summaries.pool, userId, params));
}

async function wholePage(
  { pool, priorities }: SummarySource,
  params: TimeseriesParams,
  { userKey, cursors, position, selection, sources, archivedBefore, withheld, edges }: PreparedRead,
): Promise<Envelope<TimeSeriesSample>> {
  const { start, end, resolution, filterByPriority = false, includesIds = false } = params;
  const found = { start, end, resolution, archivedBefore, withheld };
  const limit = params.limit + 1;
  const request = { ...selection, position, limit };
  const chosen = filterByPriority && { ...request, sources, priorities: await priorities.current() };
  if (resolution === 'raw') {
    const { rows, totalCount } = chosen
      ? { rows: await readChosenSamples(pool, userKey, chosen), totalCount: null }
      : await readRawPage(pool, userKey, selection, position, limit, edges);
    const page = pageOf(rows, params.limit, position, cursors, rawKey);
    const localOffsetOf = await localOffsets(pool, userKey, page.rows, ({ start_ms }) => start_ms);
    return pageEnvelope(page, (row) => rawSample(row, sources, localOffsetOf(row), includesIds), {
      ...found,
      totalCount,
    });
  }
  const widthMs = BUCKET_SECONDS[resolution] * 1000;
  const rows = await (chosen
    ? readChosenBuckets(pool, userKey, { ...chosen, widthMs })
    : readBuckets(pool, userKey, { ...request, widthMs }));
  const keyOf = (row: BucketRow) => [row.bucket_ms, row.type_id, row.source_id];
  const page = pageOf(rows, params.limit, position, cursors, keyOf);
  const localOffsetOf = await localOffsets(pool, userKey, page.rows, ({ bucket_ms }) => bucket_ms);
  return pageEnvelope(page, (row) => bucketSample(row, sources, localOffsetOf(row)), { ...found, totalCount: null });
}

function bucketSample(row: BucketRow, sources: SourceMap, localOffset: string): TimeSeriesSample {
  const { code, unit, rule } = knownType(row.type_id);
  return {
    timestamp: instantText(row.bucket_ms),
    zone_offset: offsetText(row.offset_minutes),
    local_offset: localOffset,
    type: code,
    value: rule === 'avg' ? round(row.value, 3) : rule === 'sum' ? sumValue(row.value) : row.value,
    unit,
    source: sourceMetadata(sources.get(row.source_id)),
    is_daily_total: rule === 'sum' ? false : null,
  };
}
