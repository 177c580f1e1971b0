import type { CursorStore } from '../feed/index.js';
import type { PostgresClient } from './postgres.js';

export interface PostgresCursorOptions {
  /** Name of the cursor, if several receivers share the table. Default: `default`. */
  name?: string;
  /** Table, created on first use. Default: `healthd_cursor`. */
  table?: string;
}

/** A cursor in Postgres. */
export interface PostgresCursor extends CursorStore {
  /** Saves the cursor in the transaction of `client`, together with the data. */
  saveIn(client: PostgresClient, cursor: string): Promise<void>;
}

/** Keeps a cursor in a table of your database. @param pool pool of the package `pg` */
export function postgresCursor(
  pool: PostgresClient,
  { name = 'default', table = 'healthd_cursor' }: PostgresCursorOptions = {},
): PostgresCursor {
  if (!/^[a-z_][a-z0-9_.]{0,100}$/.test(table)) throw new TypeError(`Not a table name: ${table}`);
  const saveIn = async (client: PostgresClient, cursor: string) => {
    await client.query(
      `insert into ${table} (name, cursor) values ($1, $2) on conflict (name) do update set cursor = excluded.cursor`,
      [name, cursor],
    );
  };
  let creation: Promise<unknown> | undefined;
  const create = () => {
    creation ??= pool
      .query(`create table if not exists ${table} (name text primary key, cursor text not null)`)
      .catch((error) => {
        creation = undefined;
        throw error;
      });
    return creation;
  };
  return {
    async load() {
      await create();
      const { rows } = await pool.query(`select cursor from ${table} where name = $1`, [name]);
      return (rows[0] as { cursor: string } | undefined)?.cursor;
    },
    async save(cursor) {
      await create();
      await saveIn(pool, cursor);
    },
    saveIn,
  };
}
