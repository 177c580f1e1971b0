import { type Extremes, kindOfSlot, MAX_OFFSET_MS, MS_PER_DAY, type SampleColumns } from '@healthd/model';
import type pg from 'pg';
import { sampleKind } from '../../../platform/database/index.js';
import { DirtyDays } from '../dirty-days.js';
import type { WriteContext } from '../write-context.js';
import { type BatchRows, localDayOf, type SampleRows } from './sample-rows.js';

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
  const given: { row: number; minimum: number; maximum: number }[] = [];
  for (const [row, position] of positions.entries()) {
    const own = extremes.get(position);
    if (own) given.push({ row, ...own });
  }
  const { rows: changed } = await client.query<{ at: number }>({
    name: 'records-store-extremes',
    text: STORE,
    values: [
      userKey,
      given.map(({ row }) => rows.typeId[row]),
      given.map(({ row }) => rows.startMs[row]),
      given.map(({ row }) => rows.sourceId[row]),
      given.map(({ row }) => rows.kind[row]),
      given.map(({ row }) => rows.value[row]),
      given.map(({ minimum }) => minimum),
      given.map(({ maximum }) => maximum),
    ],
  });
  for (const { at } of changed) {
    const row = given[at - 1]?.row as number;
    days.add(rows.typeId[row] as number, rows.sourceId[row] as number, localDayOf(rows, row, timeline));
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
with given as (
  select * from unnest($2::int2[], $3::float8[], $4::int4[], $5::int2[], $6::float8[], $7::float8[], $8::float8[])
    with ordinality as given (type_id, start_ms, source_id, kind, value, minimum, maximum, at)
), written as (
  insert into sample_extremes as stored (user_key, type_id, start_at, source_id, slot, minimum, maximum)
  select distinct on (s.type_id, s.start_at, s.source_id, s.slot)
         $1, s.type_id, s.start_at, s.source_id, s.slot, given.minimum, given.maximum
    from given
    join sample s on s.user_key = $1 and s.type_id = given.type_id and s.start_at = to_timestamp(given.start_ms / 1000)
                 and s.source_id = given.source_id and ${sampleKind('s.')} = given.kind and s.value = given.value
   order by s.type_id, s.start_at, s.source_id, s.slot, given.at desc
  on conflict (user_key, type_id, start_at, source_id, slot) do update
     set minimum = excluded.minimum, maximum = excluded.maximum
   where (stored.minimum, stored.maximum) is distinct from (excluded.minimum, excluded.maximum)
  returning type_id, start_at, source_id
)
select given.at::int4 from given
  join written on written.type_id = given.type_id and written.source_id = given.source_id
              and written.start_at = to_timestamp(given.start_ms / 1000)`;
