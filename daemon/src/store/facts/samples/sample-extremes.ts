import { type Extremes, kindOfSlot, MAX_OFFSET_MS, MS_PER_DAY, type SampleColumns } from '@healthd/model';
import type pg from 'pg';
import { sampleKind } from '../../../platform/database/index.js';
import { DirtyDays } from '../dirty-days.js';
import type { WriteContext } from '../write-context.js';
import { SAMPLE_EXTREMES, SAMPLE_START, SAMPLE_VALUE, sampleRow } from './sample-batch-columns.js';
import { localDayOf, type SampleRows } from './sample-rows.js';
import type { BatchRows } from './sorted-rows.js';

interface StoredExtremes extends Extremes {
  typeId: number;
  sourceId: number;
  slot: number;
  startMs: number;
}

/** The least and greatest reading behind stored means, as vendors give them. */
export class SampleExtremes {
  private readonly byStart = new Map<number, StoredExtremes[]>();

  /** Those of the samples of some series on local days; undefined where there are none, as of most users. */
  static async load(
    client: pg.ClientBase,
    userKey: number,
    range: { typeIds: readonly number[]; firstDay: number; lastDay: number },
  ): Promise<SampleExtremes | undefined> {
    const { rows } = await client.query<StoredExtremes>({
      name: 'records-load-extremes',
      text: LOAD,
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

  /** As {@link load}, after those of samples that are no longer there were removed. */
  static async loadCurrent(
    client: pg.ClientBase,
    userKey: number,
    range: { typeIds: readonly number[]; firstDay: number; lastDay: number },
  ): Promise<SampleExtremes | undefined> {
    if ((await SampleExtremes.load(client, userKey, range)) === undefined) return undefined;
    await removeOrphanedExtremes(client, userKey, range);
    return SampleExtremes.load(client, userKey, range);
  }

  /** Those of one sample; given for another value they are out of date. */
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

/**
 * Stores the extremes that a batch gives of the samples that are stored now, which must be stored.
 * @returns the days of those of which they are new
 */
export async function storeExtremes(
  { client, userKey, timeline }: WriteContext,
  { extremes }: SampleColumns,
  { rows, positions }: BatchRows,
): Promise<DirtyDays> {
  const days = new DirtyDays();
  if (extremes === undefined) return days;
  const given = [...positions.entries()].flatMap(([row, position]) => {
    const own = extremes.get(position);
    return own ? [{ ...sampleRow(rows, row), ...own, kind: rows.kind[row] as number, at: row }] : [];
  });
  const { rows: changed } = await client.query<{ at: number }>({
    name: 'records-store-extremes',
    text: STORE,
    values: [userKey, ...SAMPLE_EXTREMES.values(given)],
  });
  for (const { at } of changed) {
    days.add(rows.typeId[at] as number, rows.sourceId[at] as number, localDayOf(rows, at, timeline));
  }
  return days;
}

/** Removes the extremes of samples that are no longer there. */
export async function removeOrphanedExtremes(
  client: pg.ClientBase,
  userKey: number,
  range: { typeIds: readonly number[]; firstDay: number; lastDay: number },
): Promise<void> {
  await client.query({ name: 'records-remove-extremes', text: REMOVE, values: [userKey, ...rangeColumns(range)] });
}

function rangeColumns({
  typeIds,
  firstDay,
  lastDay,
}: {
  typeIds: readonly number[];
  firstDay: number;
  lastDay: number;
}) {
  return [typeIds, firstDay * MS_PER_DAY - MAX_OFFSET_MS, (lastDay + 1) * MS_PER_DAY + MAX_OFFSET_MS];
}

const IN_RANGE = `e.user_key = $1 and e.type_id = any ($2::int2[])
  and e.start_at >= to_timestamp($3::float8 / 1000) and e.start_at < to_timestamp($4::float8 / 1000)`;
const OWN_SAMPLE = `s.user_key = $1 and s.type_id = e.type_id and s.start_at = e.start_at and s.source_id = e.source_id
  and s.slot = e.slot`;

const LOAD = `
select e.type_id as "typeId", e.source_id as "sourceId", e.slot, extract(epoch from e.start_at)::float8 * 1000 as "startMs",
       e.minimum, e.maximum
  from sample_extremes e
 where ${IN_RANGE}`;

const REMOVE = `
delete from sample_extremes e where ${IN_RANGE} and not exists (select from sample s where ${OWN_SAMPLE})`;

const STORE = `
with fresh as (
  select * from ${SAMPLE_EXTREMES.unnested(2)}
), written as (
  insert into sample_extremes as stored (user_key, type_id, start_at, source_id, slot, minimum, maximum)
  select distinct on (s.type_id, s.start_at, s.source_id, s.slot)
         $1, s.type_id, s.start_at, s.source_id, s.slot, fresh.minimum, fresh.maximum
    from fresh
    join sample s on s.user_key = $1 and ${SAMPLE_VALUE.matched('s')} and ${sampleKind('s.')} = fresh.kind
   order by s.type_id, s.start_at, s.source_id, s.slot, fresh.at desc
  on conflict (user_key, type_id, start_at, source_id, slot) do update
     set minimum = excluded.minimum, maximum = excluded.maximum
   where (stored.minimum, stored.maximum) is distinct from (excluded.minimum, excluded.maximum)
  returning type_id, start_at, source_id
)
select fresh.at from fresh join written on ${SAMPLE_START.matched('written')}`;
