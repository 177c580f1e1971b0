import { type Extremes, kindOfSlot, MAX_OFFSET_MS, MS_PER_DAY, type SampleColumns } from '@healthd/model';
import type pg from 'pg';
import { sampleKind } from '../../../platform/database/index.js';
import type { DirtyDays } from '../dirty-days.js';
import type { OffsetTimeline } from '../offsets/offset-timeline.js';
import { type BatchRows, localDayOf, type SampleRows } from './sample-rows.js';

interface StoredExtremes extends Extremes {
  typeId: number;
  sourceId: number;
  slot: number;
  startMs: number;
}

/** What vendors tell of the least and greatest reading behind stored means. */
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

  /** Those of one sample; told of another value they are out of date. */
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
 * Stores what a batch tells of the samples that are stored now, and marks the days of those of which it says something
 * new. The samples must be stored.
 */
export async function storeExtremes(
  client: pg.ClientBase,
  userKey: number,
  { extremes }: SampleColumns,
  { rows, positions }: BatchRows,
  { timeline, dirtyDays }: { timeline: OffsetTimeline; dirtyDays: DirtyDays },
): Promise<void> {
  if (extremes === undefined) return;
  const told: { row: number; minimum: number; maximum: number }[] = [];
  for (const [row, position] of positions.entries()) {
    const own = extremes.get(position);
    if (own) told.push({ row, ...own });
  }
  const { rows: changed } = await client.query<{ at: number }>({
    name: 'records-store-extremes',
    text: STORE,
    values: [
      userKey,
      told.map(({ row }) => rows.typeId[row]),
      told.map(({ row }) => rows.startMs[row]),
      told.map(({ row }) => rows.sourceId[row]),
      told.map(({ row }) => rows.kind[row]),
      told.map(({ row }) => rows.value[row]),
      told.map(({ minimum }) => minimum),
      told.map(({ maximum }) => maximum),
    ],
  });
  for (const { at } of changed) {
    const row = told[at - 1]?.row as number;
    dirtyDays.add(rows.typeId[row] as number, rows.sourceId[row] as number, localDayOf(rows, row, timeline));
  }
}

/** Removes what was told of samples that are no longer there. */
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
with told as (
  select * from unnest($2::int2[], $3::float8[], $4::int4[], $5::int2[], $6::float8[], $7::float8[], $8::float8[])
    with ordinality as told (type_id, start_ms, source_id, kind, value, minimum, maximum, at)
), written as (
  insert into sample_extremes as stored (user_key, type_id, start_at, source_id, slot, minimum, maximum)
  select distinct on (s.type_id, s.start_at, s.source_id, s.slot)
         $1, s.type_id, s.start_at, s.source_id, s.slot, told.minimum, told.maximum
    from told
    join sample s on s.user_key = $1 and s.type_id = told.type_id and s.start_at = to_timestamp(told.start_ms / 1000)
                 and s.source_id = told.source_id and ${sampleKind('s.')} = told.kind and s.value = told.value
   order by s.type_id, s.start_at, s.source_id, s.slot, told.at desc
  on conflict (user_key, type_id, start_at, source_id, slot) do update
     set minimum = excluded.minimum, maximum = excluded.maximum
   where (stored.minimum, stored.maximum) is distinct from (excluded.minimum, excluded.maximum)
  returning type_id, start_at, source_id
)
select told.at::int4 from told
  join written on written.type_id = told.type_id and written.source_id = told.source_id
              and written.start_at = to_timestamp(told.start_ms / 1000)`;
