import { MS_PER_HOUR, parseOffset, type SampleRecord, type SourceIdentity, seriesTypeByCode } from '@healthd/model';
import type { SourceDatabase } from './source-database.js';

/** SQL that converts a time column to whole milliseconds since 1970, rounded down. */
export const msOf = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`;

/** Parses an offset from UTC; undefined if it is missing or invalid. */
export function offsetOf(text: string | null): number | undefined {
  return text === null ? undefined : parseOffset(text.trim());
}

/** Maps the source's series IDs to this service's series. Skips series with a different unit. */
export async function readSeries(source: SourceDatabase): Promise<ReadonlyMap<number, number>> {
  const rows = await source.query<{ id: number; code: string; unit: string }>(
    'select id, code, unit from series_type_definition',
  );
  return new Map(
    rows.flatMap(({ id, code, unit }) => {
      const series = seriesTypeByCode(code);
      return series?.unit === unit ? [[id, series.id] as const] : [];
    }),
  );
}

/**
 * Percentages that the Apple import of Open Wearables stores as fractions. A value up to 1 is a fraction, because no
 * living person has 1 % or less.
 */
const PERCENTAGES: ReadonlySet<number> = new Set(
  (['oxygen_saturation', 'body_fat_percentage'] as const).map((code) => seriesTypeByCode(code).id),
);

function percentValue(typeId: number, value: number): number {
  return PERCENTAGES.has(typeId) && value > 0 && value <= 1 ? value * 100 : value;
}

interface SampleRow {
  id: string;
  type: number;
  at_ms: number;
  zone_offset: string | null;
  value: number;
  is_daily_total: boolean | null;
}

/** Reads samples and daily totals of one source, in the order of the table's index by series and time. */
export async function* readSamples(
  database: SourceDatabase,
  sourceId: string,
  source: SourceIdentity,
  series: ReadonlyMap<number, number>,
): AsyncGenerator<SampleRecord> {
  const rows = database.stream<SampleRow>(
    `select id, series_type_definition_id as type, ${msOf('recorded_at')} as at_ms, zone_offset, value::float8 as value,
            is_daily_total
       from data_point_series where data_source_id = $1 order by series_type_definition_id, recorded_at`,
    [sourceId],
  );
  for await (const row of rows) {
    const typeId = series.get(row.type);
    if (typeId === undefined) continue;
    yield {
      kind: 'sample',
      source,
      typeId,
      externalId: row.id,
      startMs: row.at_ms,
      offsetMinutes: offsetOf(row.zone_offset),
      value: percentValue(typeId, row.value),
      sampleKind: row.is_daily_total === true ? 'daily_total' : 'sample',
    };
  }
}

interface ArchiveRow {
  id: string;
  type: number;
  day_ms: number;
  aggregation_type: string;
  value: number;
}

/**
 * Reads archived days of one source. Converts sums to daily totals, and means and maxima to one reading at noon UTC,
 * which has the same date in nearly every time zone.
 */
export async function* readArchive(
  database: SourceDatabase,
  sourceId: string,
  source: SourceIdentity,
  series: ReadonlyMap<number, number>,
): AsyncGenerator<SampleRecord> {
  const rows = database.stream<ArchiveRow>(
    `select id, series_type_definition_id as type, ${msOf('bucket_start_at')} as day_ms, aggregation_type,
            value::float8 as value
       from data_point_series_archive where data_source_id = $1 order by series_type_definition_id, bucket_start_at`,
    [sourceId],
  );
  for await (const { id, type, day_ms: dayMs, aggregation_type: aggregation, value } of rows) {
    const typeId = series.get(type);
    if (typeId === undefined) continue;
    const isSum = aggregation === 'sum';
    const startMs = isSum ? dayMs : dayMs + 12 * MS_PER_HOUR;
    const sampleKind = isSum ? 'daily_total' : 'sample';
    yield { kind: 'sample', source, typeId, externalId: id, startMs, value: percentValue(typeId, value), sampleKind };
  }
}
