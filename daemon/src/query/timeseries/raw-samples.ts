import { kindOfSlot, SAMPLE_KIND_CODE } from '@healthd/model';
import type { TimeSeriesSample } from '@healthd/schemas';
import type pg from 'pg';
import type { Position } from '../cursors.js';
import { instantText, offsetText } from '../presentation.js';
import { type SourceMap, sourceMetadata } from '../sources.js';
import { sqlInstant } from '../sql-instant.js';
import { knownType } from './known-type.js';
import { type RawRow, rawPageBackward, rawPageForward } from './raw-page.sql.js';
import type { SampleSelection } from './sample-count.js';

/** Up to `limit` samples after (or before) the position, nearest first in the direction of travel. */
export async function readRawRows(
  pool: pg.Pool,
  userKey: number,
  { typeIds, sourceIds, bounds }: SampleSelection,
  position: Position | undefined,
  limit: number,
): Promise<RawRow[]> {
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
      limit,
    ]),
  );
  return rows;
}

/** What a cursor keeps of a sample. */
export function rawKey(row: RawRow): number[] {
  return [row.start_ms, row.type_id, row.source_id, row.slot];
}

/** A sample as answers show it. */
export function rawSample(row: RawRow, sources: SourceMap, localOffset: string): TimeSeriesSample {
  const { code, unit, rule } = knownType(row.type_id);
  const kind = kindOfSlot(row.slot);
  const partOfDay = rule === 'sum' && kind === SAMPLE_KIND_CODE.sample ? false : null;
  return {
    timestamp: instantText(row.start_ms),
    zone_offset: offsetText(row.offset_minutes),
    local_offset: localOffset,
    type: code,
    value: row.value,
    unit,
    source: sourceMetadata(sources.get(row.source_id)),
    is_daily_total: kind === SAMPLE_KIND_CODE.daily_total ? true : partOfDay,
  };
}

/** Writes samples as JSON. Of a page's rows most differ in instant and value alone; the rest is turned into text once. */
export class RawSampleText {
  private readonly known = new Map<string, { beforeValue: string; afterValue: string }>();

  constructor(private readonly sources: SourceMap) {}

  /** The members of a JSON array, exactly as `JSON.stringify` writes {@link rawSample}. */
  list(rows: readonly RawRow[], localOffsetOf: (row: RawRow) => string): string {
    let text = '';
    for (const row of rows) {
      const { beforeValue, afterValue } = this.around(row, localOffsetOf(row));
      const value = Number.isFinite(row.value) ? row.value : null;
      text += `${text === '' ? '' : ','}{"timestamp":"${instantText(row.start_ms)}${beforeValue}${value}${afterValue}`;
    }
    return text;
  }

  private around(row: RawRow, localOffset: string) {
    const key = `${row.type_id} ${row.source_id} ${kindOfSlot(row.slot)} ${row.offset_minutes} ${localOffset}`;
    let around = this.known.get(key);
    if (!around) {
      const { zone_offset, local_offset, type, unit, source, is_daily_total } = rawSample(
        row,
        this.sources,
        localOffset,
      );
      const json = JSON.stringify;
      around = {
        beforeValue: `",${json({ zone_offset, local_offset, type }).slice(1, -1)},"value":`,
        afterValue: `,${json({ unit, source, is_daily_total }).slice(1)}`,
      };
      this.known.set(key, around);
    }
    return around;
  }
}
