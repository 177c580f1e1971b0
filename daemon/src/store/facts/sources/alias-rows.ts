import type pg from 'pg';
import { type QueryPart, readTogether } from '../../../platform/database/index.js';
import type { AppSource } from './app-source.js';
import type { SourceAlias } from './source-aliases.js';

interface AliasRow {
  provider: AppSource['provider'];
  writer: string;
  device_model: string;
  named_writer: string;
  named_device_model: string;
}

/** The apps that were detected to be other sources of the user. */
export const ALIASES: QueryPart<AliasRow, SourceAlias[]> = {
  sql: `select provider, writer, device_model, named_writer, named_device_model from source_alias where user_key = $1
         order by learnt_at, writer, device_model`,
  read: (rows) =>
    rows.map((row) => ({
      bundled: { provider: row.provider, writer: row.writer, deviceModel: row.device_model },
      named: { provider: row.provider, writer: row.named_writer, deviceModel: row.named_device_model },
    })),
};

/** {@link ALIASES} alone. */
export async function loadAliases(client: pg.ClientBase, userKey: number): Promise<SourceAlias[]> {
  return (await readTogether(client, 'records-load-aliases', { aliases: ALIASES }, [userKey])).aliases;
}

/**
 * Remembers that two sources are one. From now on what arrives under the bundle id is the named source's; what was
 * deleted here stays deleted under that.
 */
export async function addAlias(client: pg.ClientBase, userKey: number, alias: SourceAlias): Promise<void> {
  await client.query(
    `insert into source_alias (user_key, provider, writer, device_model, named_writer, named_device_model)
     values ($1, $2, $3, $4, $5, $6)`,
    valuesOf(userKey, alias),
  );
  await moveTombstones(client, userKey, alias);
}

/** Keeps what was deleted here under the bundle id deleted under the name, by which all of the app arrives from now on. */
export async function moveTombstones(client: pg.ClientBase, userKey: number, alias: SourceAlias): Promise<void> {
  await client.query(
    `update session_tombstone set writer = $5, device_model = nullif($6, '')
      where user_key = $1 and provider = $2 and writer = $3 and coalesce(device_model, '') = $4 and device_id is null`,
    valuesOf(userKey, alias),
  );
}

function valuesOf(userKey: number, { bundled, named }: SourceAlias): (number | string)[] {
  return [userKey, bundled.provider, bundled.writer, bundled.deviceModel, named.writer, named.deviceModel];
}
