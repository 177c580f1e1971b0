import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import { type InstantBounds, sqlInstant } from '../bounds.js';
import { type Cursors, type Page, type Position, pageOf, pageOfAll } from '../page.js';
import { LISTED_SOURCE_COLUMNS, WITH_SOURCES } from '../sources.js';

/** A row that a list sorts by start. */
export interface EventRow {
  id: string;
  start_at: Date;
}

interface EventTable {
  /** Prefix of the statements' names. */
  name: string;
  table: string;
  alias: string;
  columns: string;
  /** Condition of the range. Parameters: user, from, before, then the filters of {@link EventQuery}. */
  selected: string;
  filterCount: number;
  /** Additional columns that are selected with the count of the range. */
  counted?: string;
}

export interface EventQuery {
  bounds: InstantBounds;
  filters: readonly unknown[];
  position: Position | undefined;
  limit: number;
  cursors: Cursors;
}

const keyOf = (row: EventRow) => [row.start_at.getTime(), row.id];

/** Pages of one table's events with their sources, newest first, by index on (user_key, start_at, id). */
export class EventList<Row extends EventRow, Count extends { count: number } = { count: number }> {
  readonly #older: ReturnType<typeof statement>;
  readonly #newer: ReturnType<typeof statement>;
  readonly #byId: ReturnType<typeof statement>;
  readonly #count: ReturnType<typeof statement>;

  constructor({ name, table, alias, columns, selected, filterCount, counted = '' }: EventTable) {
    const rows = `${WITH_SOURCES}
   select ${columns}, ${LISTED_SOURCE_COLUMNS} from ${table} ${alias}
     join source on source.source_id = ${alias}.source_id`;
    const at = filterCount + 4;
    const page = (direction: string, after: '>' | '<', order: 'asc' | 'desc') =>
      statement(
        `${name}_${direction}`,
        `${rows}
     where ${selected}
       and ($${at}::timestamptz is null or (${alias}.start_at, ${alias}.id) ${after} ($${at}::timestamptz, $${at + 1}::uuid))
     order by ${alias}.start_at ${order}, ${alias}.id ${order} limit $${at + 2}`,
      );
    this.#older = page('older', '<', 'desc');
    this.#newer = page('newer', '>', 'asc');
    this.#byId = statement(`${name}_by_id`, `${rows} where ${alias}.user_key = $1 and ${alias}.id = any ($2::uuid[])`);
    this.#count = statement(
      `${name}_count`,
      `select count(*) as count${counted} from ${table} ${alias} where ${selected}`,
    );
  }

  /** Reads a page and counts the events of the range. Skips the count if the first page contains all events. */
  async page(pool: pg.Pool, userKey: number, query: EventQuery): Promise<{ page: Page<Row>; totalCount: number }> {
    const { position, limit, cursors } = query;
    const key = position ? [sqlInstant(Number(position.key[0])), position.key[1]] : [null, null];
    const statement = position?.before ? this.#newer : this.#older;
    const { rows } = await pool.query<Row>(statement([...rangeOf(userKey, query), ...key, limit + 1]));
    const isWhole = position === undefined && rows.length <= limit;
    const { count } = isWhole ? { count: rows.length } : await this.count(pool, userKey, query);
    return { page: pageOf(rows, limit, position, cursors, keyOf), totalCount: count };
  }

  /** Reads a page of selected events, and counts the selected events that start in the range. */
  async pageAmong(
    pool: pg.Pool,
    userKey: number,
    newestFirst: readonly EventRow[],
    { bounds, position, limit, cursors }: EventQuery,
  ): Promise<{ page: Page<Row>; totalCount: number }> {
    const { fromMs, beforeMs } = bounds;
    const listed = newestFirst.filter(({ start_at: at }) => at.getTime() >= fromMs && at.getTime() < beforeMs);
    const page = pageOfAll(listed, limit, position, cursors, keyOf, 'desc');
    const rows = await this.byId(
      pool,
      userKey,
      page.rows.map(({ id }) => id),
    );
    const found = new Map(rows.map((row) => [row.id, row]));
    return { page: { ...page, rows: page.rows.flatMap(({ id }) => found.get(id) ?? []) }, totalCount: listed.length };
  }

  async byId(pool: pg.Pool, userKey: number, ids: readonly string[]): Promise<Row[]> {
    return (await pool.query<Row>(this.#byId([userKey, ids]))).rows;
  }

  async count(pool: pg.Pool, userKey: number, query: Pick<EventQuery, 'bounds' | 'filters'>): Promise<Count> {
    const { rows } = await pool.query<Count>(this.#count(rangeOf(userKey, query)));
    return rows[0] as Count;
  }
}

function rangeOf(userKey: number, { bounds, filters }: Pick<EventQuery, 'bounds' | 'filters'>): unknown[] {
  return [userKey, sqlInstant(bounds.fromMs), sqlInstant(bounds.beforeMs), ...filters];
}
