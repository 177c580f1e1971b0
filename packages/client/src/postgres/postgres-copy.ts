import {
  type AgedDays,
  type ChangedDays,
  type CopyDigest,
  type DayRange,
  DigestBuilder,
  type HealthCopy,
  ROW_KINDS,
  type RowKind,
  type Snapshot,
  type SnapshotRow,
  type SnapshotSource,
  type UserCopy,
} from '../feed/index.js';
import { inTransaction, type PostgresClient, type PostgresPool } from './postgres.js';

export interface PostgresCopyOptions {
  /** Schema of the copy's tables. Default: `healthd`. */
  schema?: string;
}

/** A copy of all users' data in Postgres. */
export interface PostgresCopy extends HealthCopy {
  /** Creates schema and tables if they are missing. Call it once at the start. */
  createTables(): Promise<void>;
  /** Returns the ids of the copied users. */
  userIds(): Promise<string[]>;
  /**
   * Reads a user's copy in one transaction, to verify it while the receiver keeps working.
   * @returns undefined if the copy does not contain the user
   */
  readUser<T>(userId: string, work: (copy: UserCopy) => Promise<T>): Promise<T | undefined>;
}

const TABLE_OF: Readonly<Record<RowKind, string>> = {
  samples: 'samples',
  sleep: 'sleep',
  workout: 'workouts',
  menstrual_cycle: 'menstrual_cycles',
  health_score: 'health_scores',
};

/** Number of rows of one statement. */
const ROWS_AT_ONCE = 2_000;
/** Number of days whose rows are in memory while digests are computed. */
const DAYS_IN_MEMORY = 7;
const MS_PER_DAY = 86_400_000;

/**
 * Stores a copy in tables of your database, one table for each data type. Each transaction replaces the changed days of
 * one user and stores the user's position, so the copy never contains a part of a change.
 * @param pool pool of the package `pg`
 */
export function postgresCopy(pool: PostgresPool, { schema = 'healthd' }: PostgresCopyOptions = {}): PostgresCopy {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new TypeError(`Not a name of a schema: ${schema}`);
  const { users, state, sources } = {
    users: `${schema}.users`,
    state: `${schema}.state`,
    sources: `${schema}.sources`,
  };
  const tables = ROW_KINDS.map((kind) => `${schema}.${TABLE_OF[kind]}`);
  const samples = `${schema}.${TABLE_OF.samples}`;

  const first = async <T>(client: PostgresClient, text: string, values: unknown[] = []) =>
    (await client.query(text, values)).rows[0] as T | undefined;

  async function store({ head, lines }: Snapshot, client: PostgresClient, userId: string): Promise<void> {
    const batches = new Map<RowKind | 'source', Map<string, SnapshotRow | SnapshotSource>>();
    const listed: string[] = [];
    const write = async (kind: RowKind | 'source') => {
      const rows = [...(batches.get(kind)?.values() ?? [])];
      batches.delete(kind);
      if (rows.length === 0) return;
      if (kind === 'source') await insertSources(client, sources, userId, rows as SnapshotSource[]);
      else await insertRows(client, `${schema}.${TABLE_OF[kind]}`, userId, rows as SnapshotRow[]);
    };
    for await (const line of lines) {
      if (line.kind === 'source') listed.push(line.id);
      const batch = batches.get(line.kind) ?? new Map<string, SnapshotRow | SnapshotSource>();
      // An item that moved while the snapshot was read can appear twice. The later row is newer.
      batch.set(line.id, line);
      batches.set(line.kind, batch);
      if (batch.size >= ROWS_AT_ONCE) await write(line.kind);
    }
    for (const kind of [...batches.keys()]) await write(kind);
    await deleteUnlistedSources(client, userId, listed);
    await client.query(`update ${users} set digest_key = $2, key_id = $3, attribution = $4 where user_id = $1`, [
      userId,
      head.digest_key,
      head.key_id,
      JSON.stringify(head.attribution ?? []),
    ]);
  }

  /** Deletes sources that the service no longer has, unless rows of the copy still refer to them. */
  async function deleteUnlistedSources(
    client: PostgresClient,
    userId: string,
    listed: readonly string[],
  ): Promise<void> {
    const unlisted = `select id from ${sources} where user_id = $1 and id <> all ($2::text[])`;
    const { rows } = await client.query(unlisted, [userId, listed]);
    if (rows.length === 0) return;
    const isUsed = tables
      .map((table) => `exists (select from ${table} r where r.user_id = $1 and r.source_id = d.id)`)
      .join(' or ');
    const ids = (rows as { id: string }[]).map(({ id }) => id);
    await client.query(`delete from ${sources} d where user_id = $1 and id = any ($2::text[]) and not (${isUsed})`, [
      userId,
      ids,
    ]);
  }

  async function deleteRows(client: PostgresClient, userId: string): Promise<void> {
    for (const table of [...tables, sources]) await client.query(`delete from ${table} where user_id = $1`, [userId]);
  }

  /** Deletes a user's rows that a snapshot of all data replaces. */
  async function deleteReplaced(client: PostgresClient, userId: string): Promise<void> {
    for (const table of tables) {
      const isReplaced = table === samples ? 'not is_kept' : 'true';
      await client.query(`delete from ${table} where user_id = $1 and ${isReplaced}`, [userId]);
    }
    await client.query(
      `delete from ${sources} d where user_id = $1
          and not exists (select from ${samples} s where s.user_id = $1 and s.source_id = d.id)`,
      [userId],
    );
  }

  async function applyAged(client: PostgresClient, userId: string, aged: readonly AgedDays[]): Promise<void> {
    for (const { type, from, to, do: act } of aged) {
      const statement = act === 'keep' ? `update ${samples} set is_kept = true` : `delete from ${samples}`;
      const days = 'user_id = $1 and type = $2 and day between $3 and $4';
      await client.query(`${statement} where ${days}`, [userId, type, from, to]);
    }
  }

  return {
    cursors: {
      async load() {
        const row = await first<{ cursor: string }>(pool, `select cursor from ${state} where is_complete`);
        return row?.cursor;
      },
      async save(cursor) {
        await pool.query(`update ${state} set cursor = $1, updated_at = now() where is_complete`, [cursor]);
      },
    },

    async createTables() {
      // Locks, because Postgres reports an error if two receivers create the same table.
      await inTransaction(pool, async (client) => {
        await client.query(`select pg_advisory_xact_lock(hashtext('healthd copy'))`);
        await client.query(tablesSql(schema));
      });
    },

    async begin(cursor) {
      await pool.query(
        `insert into ${state} as state (cursor, round, is_complete) values ($1, 1, false)
         on conflict (only_row) do update
            set cursor = excluded.cursor, round = state.round + 1, is_complete = false, updated_at = now()`,
        [cursor],
      );
    },

    async unfinished() {
      const row = await first<{ cursor: string }>(pool, `select cursor from ${state} where not is_complete`);
      return row?.cursor;
    },

    async isCopied(userId) {
      const row = await first(pool, `select from ${users} join ${state} using (round) where user_id = $1`, [userId]);
      return row !== undefined;
    },

    async complete() {
      await inTransaction(pool, async (client) => {
        for (const table of [...tables, sources]) {
          await client.query(`delete from ${table} t using ${users} u, ${state} s
                               where t.user_id = u.user_id and u.round <> s.round`);
        }
        await client.query(`delete from ${users} u using ${state} s where u.round <> s.round`);
        await client.query(`update ${state} set is_complete = true, updated_at = now()`);
      });
    },

    async replaceUser(userId, read) {
      await inTransaction(pool, async (client) => {
        // The row is the lock: it excludes other receivers before the snapshot is read.
        await client.query(
          `insert into ${users} (user_id, round, position, digest_key, key_id) select $1::uuid, round, 0, '', '' from ${state}
           on conflict (user_id) do update set round = excluded.round`,
          [userId],
        );
        // Deletes first: if the deletion failed after the request, nobody would read the response.
        await deleteReplaced(client, userId);
        const snapshot = await read();
        await store(snapshot, client, userId);
        await client.query(`update ${users} set position = $2, updated_at = now() where user_id = $1`, [
          userId,
          snapshot.head.position,
        ]);
      });
    },

    async replaceDays(userId, position, changed, read, aged = []) {
      return inTransaction(pool, async (client) => {
        const user = await first<{ position: string }>(
          client,
          `select position from ${users} where user_id = $1 for update`,
          [userId],
        );
        if (user === undefined) return false;
        if (Number(user.position) >= position) return true;
        await applyAged(client, userId, aged);
        for (const days of changed) {
          await deleteDays(client, schema, userId, days);
          await store(await read(days), client, userId);
        }
        await client.query(`update ${users} set position = $2, updated_at = now() where user_id = $1`, [
          userId,
          position,
        ]);
        return true;
      });
    },

    async deleteUser(userId) {
      await inTransaction(pool, async (client) => {
        // Deletes the user's row first, because other writers lock this row.
        await client.query(`delete from ${users} where user_id = $1`, [userId]);
        await deleteRows(client, userId);
      });
    },

    async userIds() {
      const { rows } = await pool.query(`select user_id from ${users} order by user_id`);
      return (rows as { user_id: string }[]).map(({ user_id }) => user_id);
    },

    async readUser(userId, work) {
      return inTransaction(
        pool,
        async (client) => {
          const user = await first<{ position: string; digest_key: string; key_id: string }>(
            client,
            `select position, digest_key, key_id from ${users} where user_id = $1`,
            [userId],
          );
          if (user === undefined) return undefined;
          const stored = await first<{ from: string | null; to: string | null }>(
            client,
            `select min(day)::text as "from", max(day)::text as "to" from (${tables
              .map(
                (table) => `select min(day) as day from ${table} where user_id = $1
                     union all select max(day) from ${table} where user_id = $1`,
              )
              .join(' union all ')}) days`,
            [userId],
          );
          return work({
            userId,
            position: Number(user.position),
            keyId: user.key_id,
            stored: stored?.from && stored.to ? { from: stored.from, to: stored.to } : undefined,
            digests: (days) => digestsOf(client, schema, userId, user.digest_key, days),
          });
        },
        'isolation level repeatable read read only',
      );
    },
  };
}

/** Deletes the rows that a snapshot of the same days replaces. */
async function deleteDays(
  client: PostgresClient,
  schema: string,
  userId: string,
  { from, to, kinds, types }: ChangedDays,
): Promise<void> {
  for (const kind of kinds) {
    const table = `${schema}.${TABLE_OF[kind]}`;
    const days = [userId, from, to];
    if (kind === 'samples')
      await client.query(
        `delete from ${table} where user_id = $1 and day between $2 and $3 and type = any ($4) and not is_kept`,
        [...days, types],
      );
    else await client.query(`delete from ${table} where user_id = $1 and day between $2 and $3`, days);
  }
}

async function insertSources(
  client: PostgresClient,
  table: string,
  userId: string,
  rows: readonly SnapshotSource[],
): Promise<void> {
  const column = (name: Exclude<keyof SnapshotSource, 'kind'>) => rows.map((row) => row[name]);
  await client.query(
    `insert into ${table} as t (user_id, id, provider, device_model, writer, device_id, device_type, software_version, name)
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
     on conflict (user_id, id) do update
        set provider = excluded.provider, device_model = excluded.device_model, writer = excluded.writer,
            device_id = excluded.device_id, device_type = excluded.device_type,
            software_version = excluded.software_version, name = excluded.name`,
    [
      userId,
      column('id'),
      column('provider'),
      column('device_model'),
      column('writer'),
      column('device_id'),
      column('device_type'),
      column('software_version'),
      column('name'),
    ],
  );
}

async function insertRows(
  client: PostgresClient,
  table: string,
  userId: string,
  rows: readonly SnapshotRow[],
): Promise<void> {
  const column = (name: Exclude<keyof SnapshotRow, 'kind'>) => rows.map((row) => row[name]);
  const isOfSamples = rows[0]?.kind === 'samples';
  // A row may already be stored under its former day, if the change of that day was not applied yet.
  await client.query(
    `insert into ${table} as t
       (user_id, id, type, day, provider, source_id, start_at, end_at, value, offset_minutes, details)
     select $1, * from unnest($2::text[], $3::text[], $4::date[], $5::text[], $6::text[], $7::timestamptz[],
       $8::timestamptz[], $9::float8[], $10::int4[], $11::text[])
     on conflict (user_id, id) do update
        set type = excluded.type, day = excluded.day, provider = excluded.provider, source_id = excluded.source_id,
            start_at = excluded.start_at, end_at = excluded.end_at, value = excluded.value,
            offset_minutes = excluded.offset_minutes, details = excluded.details${isOfSamples ? ', is_kept = false' : ''}`,
    [
      userId,
      column('id'),
      column('type'),
      column('day'),
      column('provider'),
      column('source'),
      column('start'),
      column('end'),
      column('value'),
      column('offset'),
      column('details'),
    ],
  );
}

interface StoredRow
  extends Pick<SnapshotRow, 'kind' | 'type' | 'day' | 'provider' | 'source' | 'value' | 'offset' | 'details'> {
  start_ms: number;
  end_ms: number | null;
}

async function digestsOf(
  client: PostgresClient,
  schema: string,
  userId: string,
  digestKey: string,
  { from, to }: DayRange,
): Promise<CopyDigest[]> {
  const rowsOf = ROW_KINDS.map(
    (kind) =>
      `select '${kind}' as kind, type, day::text as day, provider, source_id as source, value, offset_minutes as "offset",
              details, (extract(epoch from start_at) * 1000)::float8 as start_ms,
              (extract(epoch from end_at) * 1000)::float8 as end_ms
         from ${schema}.${TABLE_OF[kind]} where user_id = $1 and day between $2 and $3${kind === 'samples' ? ' and not is_kept' : ''}`,
  ).join(' union all ');
  const digests: CopyDigest[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAYS_IN_MEMORY * MS_PER_DAY) {
    const last = dayOf(ms + (DAYS_IN_MEMORY - 1) * MS_PER_DAY);
    const builder = new DigestBuilder(digestKey);
    const { rows } = await client.query(rowsOf, [userId, dayOf(ms), last < to ? last : to]);
    for (const { start_ms, end_ms, ...row } of rows as StoredRow[]) {
      builder.add({ ...row, start: instant(start_ms), end: end_ms === null ? null : instant(end_ms) });
    }
    digests.push(...(await builder.digests()));
  }
  return digests;
}

function instant(ms: number): string {
  return new Date(Math.round(ms)).toISOString();
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function tablesSql(schema: string): string {
  const rows = ROW_KINDS.map((kind) => {
    const table = TABLE_OF[kind];
    const days = kind === 'samples' ? 'user_id, type, day' : 'user_id, day';
    return `
create table if not exists ${schema}.${table} (
  user_id uuid not null,
  id text not null,
  type text,
  day date not null,
  provider text not null,
  source_id text not null,
  start_at timestamptz not null,
  end_at timestamptz,
  value float8,
  offset_minutes int4,
  details text,
  primary key (user_id, id)
);
create index if not exists ${table}_of_day on ${schema}.${table} (${days});`;
  });
  return `
create schema if not exists ${schema};
create table if not exists ${schema}.state (
  only_row bool primary key default true check (only_row),
  cursor text not null,
  -- Number of the copy of all users. Users of an older round are not copied again yet.
  round int8 not null,
  is_complete bool not null,
  updated_at timestamptz not null default now()
);
create table if not exists ${schema}.users (
  user_id uuid primary key,
  round int8 not null,
  position int8 not null,
  digest_key text not null,
  key_id text not null,
  attribution jsonb,
  updated_at timestamptz not null default now()
);
create table if not exists ${schema}.sources (
  user_id uuid not null,
  id text not null,
  provider text not null,
  device_model text,
  writer text,
  device_id text,
  device_type text,
  software_version text,
  name text,
  primary key (user_id, id)
);${rows.join('')}
-- True for samples that the service only aged out. Verification leaves them out.
alter table ${schema}.${TABLE_OF.samples} add column if not exists is_kept bool not null default false;`;
}
