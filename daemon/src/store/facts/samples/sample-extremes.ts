import { type Extremes, kindOfSlot } from '@healthd/model';
import type pg from 'pg';
import type { QueryPart } from '../../../platform/database/index.js';
import { LOAD_EXTREMES } from './sample-extremes.sql.js';
import type { SampleRows } from './sample-rows.js';
import { rangeColumns, removeOrphanedExtremes, type StoredExtremes } from './stored-extremes.js';

/** True if any of the user's samples has extremes. */
export const HAS_EXTREMES: QueryPart<object, boolean> = {
  sql: 'select 1 from sample_extremes where user_key = $1 limit 1',
  read: (rows) => rows.length > 0,
};

/** Minimum and maximum readings that vendors report with stored means. */
export class SampleExtremes {
  private readonly byStart = new Map<number, StoredExtremes[]>();

  /** Loads the extremes of some series on local days. Returns undefined if there are no extremes, as for most users. */
  static async load(
    client: pg.ClientBase,
    userKey: number,
    range: { typeIds: readonly number[]; firstDay: number; lastDay: number },
  ): Promise<SampleExtremes | undefined> {
    const { rows } = await client.query<StoredExtremes>({
      name: 'records-load-extremes',
      text: LOAD_EXTREMES,
      values: [userKey, ...rangeColumns(range)],
    });
    if (rows.length === 0) return undefined;
    const result = new SampleExtremes();
    for (const row of rows) {
      const startMs = Math.round(row.startMs);
      const others = result.byStart.get(startMs);
      if (others) others.push(row);
      else result.byStart.set(startMs, [row]);
    }
    return result;
  }

  /** Deletes the extremes of deleted samples, then does the same as {@link load}. */
  static async loadCurrent(
    client: pg.ClientBase,
    userKey: number,
    range: { typeIds: readonly number[]; firstDay: number; lastDay: number },
  ): Promise<SampleExtremes | undefined> {
    if ((await SampleExtremes.load(client, userKey, range)) === undefined) return undefined;
    await removeOrphanedExtremes(client, userKey, range);
    return SampleExtremes.load(client, userKey, range);
  }

  /**
   * Returns the extremes of one sample. Ignores extremes that do not enclose its value, because they belong to an
   * earlier value.
   */
  of(rows: SampleRows, row: number): Extremes | undefined {
    const value = rows.value[row] as number;
    return this.byStart
      .get(rows.startMs[row] as number)
      ?.find(
        ({ typeId, sourceId, slot, minimum, maximum }) =>
          typeId === rows.typeId[row] &&
          sourceId === rows.sourceId[row] &&
          kindOfSlot(slot) === rows.kind[row] &&
          minimum <= value &&
          value <= maximum,
      );
  }
}
