import { BUCKET_SECONDS, round } from '@healthd/model';
import type { Envelope, TimeSeriesSample } from '@healthd/schemas';
import { localOffsets } from '../local-offsets.js';
import { pageOf } from '../page.js';
import { pageEnvelope } from '../page-envelope.js';
import { instantText, offsetText, sumValue } from '../presentation.js';
import { type SourceMap, sourceMetadata } from '../sources.js';
import type { SummarySource } from '../summary-source.js';
import type { BucketRow } from './bucket-window.sql.js';
import { readBuckets } from './buckets.js';
import { readChosenBuckets, readChosenSamples } from './chosen-rows.js';
import { knownType } from './known-type.js';
import { prepareRead, type TimeseriesParams } from './prepared-read.js';
import { rawKey, rawSample, readRawRows } from './raw-samples.js';
import { countOf } from './sample-count.js';

/**
 * Samples of all sources, or with a resolution one value per bucket, source and type. Sources are never merged. On demand one
 * source is chosen for each local day and type; such a list is not counted, which would mean to choose for its whole range.
 */
export async function readTimeseries(
  { pool, priorities }: SummarySource,
  userKey: number,
  params: TimeseriesParams,
): Promise<Envelope<TimeSeriesSample>> {
  const { start, end, resolution, filterByPriority = false } = params;
  const { cursors, position, selection, sources, archivedBefore, withheld } = await prepareRead(pool, userKey, params);
  const found = { start, end, resolution, archivedBefore, withheld };
  const limit = params.limit + 1;
  const request = { ...selection, position, limit };
  const chosen = filterByPriority && { ...request, sources, priorities: await priorities.current() };
  if (resolution === 'raw') {
    const [rows, totalCount] = await Promise.all(
      chosen
        ? [readChosenSamples(pool, userKey, chosen), null]
        : [readRawRows(pool, userKey, selection, position, limit), countOf(pool, userKey, params, selection)],
    );
    const page = pageOf(rows, params.limit, position, cursors, rawKey);
    const localOffsetOf = await localOffsets(pool, userKey, page.rows, ({ start_ms }) => start_ms);
    return pageEnvelope(page, (row) => rawSample(row, sources, localOffsetOf(row)), { ...found, totalCount });
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
