import type { Envelope, Moment, TimeSeriesSample } from '@healthd/api';
import {
  BUCKET_SECONDS,
  type ProviderId,
  type Resolution,
  round,
  SAMPLE_KIND_CODE,
  type SeriesCode,
  seriesTypeByCode,
  seriesTypeById,
} from '@healthd/model';
import type pg from 'pg';
import { timeseriesBounds } from '../bounds.js';
import { Cursors, type Page, type Position, pageOf } from '../cursors.js';
import { pageEnvelope } from '../page-envelope.js';
import { instantText, offsetText, sumValue } from '../presentation.js';
import { type SourceMap, sourceMetadata, sourcesOf } from '../sources.js';
import { sqlInstant } from '../sql-instant.js';
import type { BucketRow } from './bucket-window.sql.js';
import { readBuckets } from './buckets.js';
import { type RawRow, rawPageBackward, rawPageForward } from './raw-page.sql.js';
import { countSamples, type SampleSelection } from './sample-count.js';

export interface TimeseriesParams {
  types: readonly SeriesCode[];
  start: Moment;
  end: Moment;
  /** Name of the parameter that gave the end, for complaints. */
  endName: string;
  resolution: Resolution;
  /** Only what arrived through this provider. */
  provider?: ProviderId;
  /** Only this data source, by public id. */
  source?: string;
  cursor?: string;
  limit: number;
}

/** Samples of all sources, or with a resolution one value per bucket, source and type. Sources are never merged. */
export async function readTimeseries(
  pool: pg.Pool,
  userKey: number,
  params: TimeseriesParams,
): Promise<Envelope<TimeSeriesSample>> {
  const { start, end, resolution } = params;
  const bounds = timeseriesBounds(params);
  const typeIds = [...new Set(params.types.map((code) => seriesTypeByCode(code).id))].sort((a, b) => a - b);
  const list = { userKey, filters: [typeIds, resolution, params.provider, params.source] };
  const raw = resolution === 'raw';
  const cursors = raw
    ? new Cursors(['instant', 'int2', 'int4', 'int2'], { route: 'timeseries', ...list })
    : new Cursors(['instant', 'int2', 'int4'], { route: 'timeseries buckets', ...list });
  const position = cursors.decode(params.cursor);
  const sources = await sourcesOf(pool, userKey);
  const selection = { typeIds, sourceIds: chosenSources(sources, params), bounds };
  const found = { start, end, resolution };
  if (raw) {
    const [page, totalCount] = await Promise.all([
      rawPage(pool, userKey, selection, position, cursors, params.limit),
      countSamples(pool, userKey, selection),
    ]);
    return pageEnvelope(page, (row) => rawSample(row, sources), { ...found, totalCount });
  }
  const widthMs = BUCKET_SECONDS[resolution] * 1000;
  const limit = params.limit + 1;
  const rows = await readBuckets(pool, userKey, { ...selection, widthMs, position, limit });
  const keyOf = (row: BucketRow) => [row.bucket_ms, row.type_id, row.source_id];
  const page = pageOf(rows, params.limit, position, cursors, keyOf);
  return pageEnvelope(page, (row) => bucketSample(row, sources), { ...found, totalCount: null });
}

/** Internal ids of the sources that the filters leave; undefined when there is no filter. */
function chosenSources(sources: SourceMap, { provider, source }: TimeseriesParams): number[] | undefined {
  if (provider === undefined && source === undefined) return undefined;
  return [...sources.values()]
    .filter(
      (one) => (provider === undefined || one.provider === provider) && (source === undefined || one.id === source),
    )
    .map((one) => one.source_id);
}

async function rawPage(
  pool: pg.Pool,
  userKey: number,
  { typeIds, sourceIds, bounds }: SampleSelection,
  position: Position | undefined,
  cursors: Cursors,
  limit: number,
): Promise<Page<RawRow>> {
  let { fromMs, beforeMs } = bounds;
  const [atMs, ...rest] = (position?.key ?? []).map(Number);
  // Starts are whole milliseconds, so the next one is just past the position's own instant.
  if (atMs !== undefined && position?.before) beforeMs = Math.min(beforeMs, atMs + 1);
  else if (atMs !== undefined) fromMs = Math.max(fromMs, atMs);
  const statement = position?.before ? rawPageBackward : rawPageForward;
  const { rows } = await pool.query<RawRow>(
    statement([
      userKey,
      typeIds,
      sqlInstant(fromMs),
      sqlInstant(beforeMs),
      sourceIds ?? null,
      ...(atMs === undefined ? [null, null, null, null] : [sqlInstant(atMs), ...rest]),
      limit + 1,
    ]),
  );
  return pageOf(rows, limit, position, cursors, (row) => [row.start_ms, row.type_id, row.source_id, row.kind]);
}

function rawSample(row: RawRow, sources: SourceMap): TimeSeriesSample {
  const { code, unit, rule } = knownType(row.type_id);
  const partOfDay = rule === 'sum' && row.kind === SAMPLE_KIND_CODE.sample ? false : null;
  return {
    timestamp: instantText(row.start_ms),
    zone_offset: offsetText(row.offset_minutes),
    type: code,
    value: row.value,
    unit,
    source: sourceMetadata(sources.get(row.source_id)),
    is_daily_total: row.kind === SAMPLE_KIND_CODE.daily_total ? true : partOfDay,
  };
}

function bucketSample(row: BucketRow, sources: SourceMap): TimeSeriesSample {
  const { code, unit, rule } = knownType(row.type_id);
  return {
    timestamp: instantText(row.bucket_ms),
    zone_offset: offsetText(row.offset_minutes),
    type: code,
    value: rule === 'avg' ? round(row.value, 3) : rule === 'sum' ? sumValue(row.value) : row.value,
    unit,
    source: sourceMetadata(sources.get(row.source_id)),
    is_daily_total: rule === 'sum' ? false : null,
  };
}

/** Rows are selected by the ids of known types only. */
function knownType(typeId: number) {
  const type = seriesTypeById(typeId);
  if (!type) throw new Error(`series type ${typeId} has no entry`);
  return type;
}
