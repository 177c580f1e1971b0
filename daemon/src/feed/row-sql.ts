import { SERIES_TYPES } from '@healthd/model';
import { ROW_KINDS, type RowKind } from '@healthd/schemas';
import { nearestOffset } from '../query/index.js';
import { type ItemTable, itemDate, SAMPLE_ID } from '../store/facts/index.js';

/** Local days reach at most this far into the neighboring UTC days. */
export const DAY_REACH = `interval '1 day'`;

/** Kinds of rows that are single items, in their order in snapshots. */
export type ItemKind = Exclude<RowKind, 'samples'>;
export const ITEM_KINDS = ROW_KINDS.filter((kind): kind is ItemKind => kind !== 'samples');

interface ItemSource {
  table: ItemTable;
  type: string;
  start: string;
  end: string;
  value: string;
  /** SQL of the other values as jsonb. Its text is part of the digest, so absent columns are omitted. */
  details: string;
}

/** Workout columns that become details. Omits internal columns, such as the columns of archived readings. */
const WORKOUT_DETAILS = [
  'name',
  'duration_seconds',
  'moving_seconds',
  'distance_meters',
  'calories_kcal',
  'basal_calories_kcal',
  'total_calories_kcal',
  'steps_count',
  'heart_rate_min',
  'heart_rate_avg',
  'heart_rate_max',
  'average_speed',
  'max_speed',
  'average_watts',
  'max_watts',
  'average_cadence',
  'elevation_gain_meters',
  'elevation_low_meters',
  'elevation_high_meters',
  'indoor',
  'user_entered',
];
const SLEEP_DETAILS = [
  'asleep_seconds',
  'in_bed_seconds',
  'awake_seconds',
  'light_seconds',
  'deep_seconds',
  'rem_seconds',
  'efficiency_percent',
];

function membersOf(columns: readonly string[], json: readonly string[] = []): string {
  const plain = columns.map((column) => `'${column}', s.${column}`).join(', ');
  const nested = json.map(
    (column) => ` || case when s.${column} is null then '{}' else jsonb_build_object('${column}', s.${column}) end`,
  );
  return `jsonb_strip_nulls(jsonb_build_object(${plain}))${nested.join('')}`;
}

export const ITEM_SOURCES: Readonly<Record<ItemKind, ItemSource>> = {
  sleep: {
    table: 'sleep_session',
    type: `case when s.is_nap then 'nap' else 'sleep' end`,
    start: 's.start_at',
    end: 's.end_at',
    value: 'null::float8',
    details: membersOf(SLEEP_DETAILS, ['stages']),
  },
  workout: {
    table: 'workout',
    type: 's.type',
    start: 's.start_at',
    end: 's.end_at',
    value: 'null::float8',
    details: membersOf(WORKOUT_DETAILS, ['events', 'activities', 'metadata']),
  },
  menstrual_cycle: {
    table: 'menstrual_cycle',
    type: 'null::text',
    start: 's.start_at',
    end: 's.end_at',
    value: 'null::float8',
    details: 's.details',
  },
  health_score: {
    table: 'health_score',
    type: 's.category',
    start: 's.recorded_at',
    end: 'null::timestamptz',
    value: finite('s.value'),
    details: membersOf(['qualifier'], ['components']),
  },
};

/**
 * Returns SQL that replaces infinity and NaN with null, because JSON has neither. Postgres sorts NaN above infinity.
 */
function finite(value: string): string {
  return `case when abs(${value}) < 'infinity'::float8 then ${value} end`;
}

/**
 * Returns the columns of a row in snapshots and digests, for a row `s` of a table of items and its source `d`: `type`,
 * `day`, `provider`, `id`, `source`, `start_at`, `end_at`, `value`, `offset_minutes`, `details`.
 */
export function itemColumns(kind: ItemKind): string {
  const { table, type, start, end, value, details } = ITEM_SOURCES[kind];
  return `${type} as type, ${itemDate(table)} as day, d.provider, s.id, d.id as source, ${start} as start_at,
    ${end} as end_at, ${value} as value, s.offset_minutes, (${details})::text as details`;
}

/** Returns an indexed condition for rows `s` of a table of items with a local date in a range. */
export function itemsBetween(kind: ItemKind, from: string, to: string): string {
  const { table, start } = ITEM_SOURCES[kind];
  const dates = `${itemDate(table)} between ${from}::date and ${to}::date`;
  if (kind === 'sleep' || kind === 'workout') return dates;
  return `${dates} and ${start} >= ${from}::date - ${DAY_REACH} and ${start} < ${to}::date + ${DAY_REACH} * 2`;
}

/** Joins the source `d` of a row `s`. */
export const JOIN_SOURCE = 'join data_source d on d.user_key = s.user_key and d.source_id = s.source_id';

/** Joins the offset `near` of a sample `s` that has no offset itself. Uses the user as `$1`. */
export const JOIN_OFFSET = `left join lateral (${nearestOffset('s.start_at', 's.offset_minutes is null')}) near on true`;

/** SQL of a sample's local day, with {@link JOIN_OFFSET}. */
const SAMPLE_DAY = `((s.start_at at time zone 'UTC') + coalesce(s.offset_minutes, near.offset_minutes, 0) * interval '1 minute')::date`;

const KINDS_OF_SLOTS = `(array[null, '{"sample_kind": "daily_total"}', '{"sample_kind": "aggregate"}'])[(s.slot >> 29) + 1]`;

/** Columns of a sample `s` of the type `t`, as from {@link itemColumns}. */
export const SAMPLE_COLUMNS = `t.code as type, ${SAMPLE_DAY} as day, d.provider,
    ${SAMPLE_ID} as id,
    d.id as source, s.start_at, s.start_at + s.duration_ms * interval '1 millisecond' as end_at, ${finite('s.value')} as value,
    s.offset_minutes, ${KINDS_OF_SLOTS} as details`;

/** Codes of all series types by number, as parameters of `unnest($n::int2[], $m::text[]) as t (type_id, code)`. */
export const TYPE_IDS = SERIES_TYPES.map(({ id }) => id);
export const TYPE_CODES = SERIES_TYPES.map(({ code }) => code);

function bytesOf(isNull: string, value: string): string {
  return `case when ${isNull} is null then '\\x00'::bytea else '\\x01'::bytea || ${value} end`;
}

const textBytes = (column: string) =>
  bytesOf(column, `int4send(octet_length(convert_to(${column}, 'UTF8'))) || convert_to(${column}, 'UTF8')`);
const instantBytes = (column: string) => bytesOf(column, `int8send((extract(epoch from ${column}) * 1000)::int8)`);

/** SQL of a row in canonical form (`canonicalRow` in the model), for the columns of {@link itemColumns}. */
export const CANONICAL_ROW = [
  textBytes('type'),
  textBytes('source::text'),
  instantBytes('start_at'),
  instantBytes('end_at'),
  bytesOf('value', 'float8send(value + 0)'),
  bytesOf('offset_minutes', 'int8send(offset_minutes)'),
  textBytes('details'),
]
  .map((field) => `(${field})`)
  .join(' || ');

const instantText = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Returns the SQL of a row as a line of a snapshot, for the columns of {@link itemColumns}. */
export function jsonLine(kind: RowKind): string {
  return `(select row_to_json(line)::text || e'\n' from (select '${kind}' as kind, type, day, provider, id, source,
    ${instantText('start_at')} as start, ${instantText('end_at')} as "end", value, offset_minutes as "offset", details) line)`;
}
