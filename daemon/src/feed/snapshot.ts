import type { RowKind } from '@healthd/schemas';
import type pg from 'pg';
import { statement } from '../platform/database/index.js';
import type { Vault } from '../vault/index.js';
import { digestKeyOf } from './digest-key.js';
import { type FeedPosition, readPosition } from './read-changes.js';
import {
  DAY_REACH,
  ITEM_KINDS,
  ITEM_SOURCES,
  type ItemKind,
  itemColumns,
  itemsBetween,
  JOIN_OFFSET,
  JOIN_SOURCE,
  jsonLine,
  SAMPLE_COLUMNS,
  TYPE_CODES,
  TYPE_IDS,
} from './row-sql.js';

/** Number of samples that one statement reads. */
const SAMPLES_AT_ONCE = 5_000;
/** Number of items that one statement reads. An item may contain thousands of stages. */
const ITEMS_AT_ONCE = 200;

export interface SnapshotQuery {
  /** Local dates, both included. */
  from: string | undefined;
  to: string | undefined;
  kinds: readonly RowKind[];
  /** Limits samples to these series types. */
  types: readonly string[] | undefined;
  /** Texts that vendors require with their data, by provider. */
  attribution: ReadonlyMap<string, string>;
}

const DATES = ['-infinity', 'infinity'] as const;

/**
 * Reads a user's data as lines of JSON. Each statement reads a limited number of rows, and no transaction stays open
 * between them: rows that change during the read appear in the feed after the snapshot's position.
 * @returns the position and the lines; reading the lines runs the statements
 * @throws UserMissingError, and as {@link readPosition}
 */
export async function readSnapshot(
  pool: pg.Pool,
  vault: Vault,
  user: { id: string; userKey: number },
  query: SnapshotQuery,
): Promise<AsyncGenerator<string>> {
  const position = await readPosition(pool, user.userKey);
  const key = await digestKeyOf(pool, vault, user);
  return linesOf(pool, user, query, position, { digest_key: key.bytes.toString('hex'), key_id: key.id });
}

async function* linesOf(
  pool: pg.Pool,
  { id, userKey }: { id: string; userKey: number },
  { from = DATES[0], to = DATES[1], kinds, types, attribution }: SnapshotQuery,
  { position, cursor, after }: FeedPosition,
  key: { digest_key: string; key_id: string },
): AsyncGenerator<string> {
  const sources = await pool.query<{ provider: string; line: string }>(SOURCES([userKey]));
  const providers = [...new Set(sources.rows.map(({ provider }) => provider))].sort();
  const texts = providers.flatMap((provider) => {
    const text = attribution.get(provider);
    return text === undefined ? [] : [{ provider, text }];
  });
  const at = new Date().toISOString();
  const head = { kind: 'snapshot', user_id: id, position, cursor, after, ...key, at };
  yield `${JSON.stringify({ ...head, ...(texts.length > 0 && { attribution: texts }) })}\n`;
  if (sources.rows.length > 0) yield sources.rows.map(({ line }) => `${line}\n`).join('');
  let count = 0;
  const dates = [from, to];
  const chosen = TYPE_IDS.filter((_, index) => types?.includes(TYPE_CODES[index] as string) ?? true);
  if (kinds.includes('samples')) {
    const { rows } = await pool.query<{ type_id: number }>(STORED_TYPES([userKey, chosen]));
    for (const { type_id: typeId } of rows) {
      let last: unknown[] = [null, null, null];
      for (;;) {
        const code = TYPE_CODES[TYPE_IDS.indexOf(typeId)];
        const page = await pool.query<SamplePage>(SAMPLES([userKey, ...dates, typeId, code, ...last]));
        const { text, read, listed, start_at, source_id, slot } = page.rows[0] as SamplePage;
        count += listed;
        if (text) yield text;
        if (read < SAMPLES_AT_ONCE) break;
        last = [start_at, source_id, slot];
      }
    }
  }
  for (const kind of ITEM_KINDS) {
    if (!kinds.includes(kind)) continue;
    for (let last: string | null = null; ; ) {
      const page: pg.QueryResult<ItemPage> = await pool.query(ITEMS[kind]([userKey, ...dates, last]));
      const { text, read, last_id } = page.rows[0] as ItemPage;
      count += read;
      if (text) yield text;
      if (read < ITEMS_AT_ONCE) break;
      last = last_id;
    }
  }
  yield `${JSON.stringify({ kind: 'end', rows: count })}\n`;
}

interface SamplePage {
  text: string | null;
  /** Number of rows read, and number of these rows with a local date in the range. */
  read: number;
  listed: number;
  /** Key of the last row. */
  start_at: string | null;
  source_id: number | null;
  slot: number | null;
}

interface ItemPage {
  text: string | null;
  read: number;
  last_id: string | null;
}

const SOURCES = statement(
  'feed-snapshot-sources',
  `select provider, row_to_json(line)::text as line from (
     select 'source' as kind, id, provider, device_model, writer, device_id, device_type, software_version,
            original_source_name as name
       from data_source where user_key = $1 order by source_id) line`,
);

/** Finds the series that have samples, with one index lookup per series. */
const STORED_TYPES = statement(
  'feed-snapshot-types',
  `select type_id from unnest($2::int2[]) as t (type_id)
    where exists (select from sample s where s.user_key = $1 and s.type_id = t.type_id) order by type_id`,
);

/** Parameters: user, first and last date, series number and code, key of the last row or nulls. */
const SAMPLES = statement(
  'feed-snapshot-samples',
  `with page as materialized (
     select * from sample s
      where user_key = $1 and type_id = $4::int2
        and start_at >= $2::timestamptz - ${DAY_REACH} and start_at < $3::timestamptz + ${DAY_REACH} * 2
        and ($6::timestamptz is null or (start_at, source_id, slot) > ($6::timestamptz, $7::int4, $8::int4))
      order by start_at, source_id, slot limit ${SAMPLES_AT_ONCE}
   ), listed as (
     select ${SAMPLE_COLUMNS}, s.source_id, s.slot
       from page s cross join (values ($5::text)) as t (code) ${JOIN_SOURCE} ${JOIN_OFFSET}
   ), last as (select start_at, source_id, slot from page order by start_at desc, source_id desc, slot desc limit 1)
   select string_agg(${jsonLine('samples')}, '' order by start_at, source_id, slot) as text, count(*)::int4 as listed,
          (select count(*)::int4 from page) as read, (select start_at::text from last) as start_at,
          (select source_id from last) as source_id, (select slot from last) as slot
     from listed where day between $2::date and $3::date`,
);

/** Parameters: user, first and last date, last ID or null. */
const ITEMS = Object.fromEntries(
  ITEM_KINDS.map((kind) => [
    kind,
    statement(
      `feed-snapshot-${kind}`,
      `with listed as (
         select ${itemColumns(kind)} from ${ITEM_SOURCES[kind].table} s ${JOIN_SOURCE}
          where s.user_key = $1 and ${itemsBetween(kind, '$2', '$3')}
            and ($4::uuid is null or s.id > $4::uuid)
          order by s.id limit ${ITEMS_AT_ONCE})
       select string_agg(${jsonLine(kind)}, '' order by id) as text, count(*)::int4 as read,
              (select id from listed order by id desc limit 1) as last_id
         from listed`,
    ),
  ]),
) as Readonly<Record<ItemKind, ReturnType<typeof statement>>>;
