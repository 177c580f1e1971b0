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

/** The user's apps that were detected as aliases of other sources. */
export const ALIASES: QueryPart<AliasRow, SourceAlias[]> = {
  sql: `select provider, writer, device_model, named_writer, named_device_model from source_alias where user_key = $1
         order by learnt_at, writer, device_model`,
  read: (rows) =>
    rows.map((row) => ({
      bundled: { provider: row.provider, writer: row.writer, deviceModel: row.device_model },
      named: { provider: row.provider, writer: row.named_writer, deviceModel: row.named_device_model },
    })),
};

/** Loads {@link ALIASES}. */
export async function loadAliases(client: pg.ClientBase, userKey: number): Promise<SourceAlias[]> {
  return (await readTogether(client, 'records-load-aliases', { aliases: ALIASES }, [userKey])).aliases;
}

/**
 * Stores that two sources are the same app. From now on items with the bundle id belong to the named source. Items that
 * were deleted under the bundle id stay deleted under the name.
 */
export async function addAlias(client: pg.ClientBase, userKey: number, alias: SourceAlias): Promise<void> {
  await client.query(
    `insert into source_alias (user_key, provider, writer, device_model, named_writer, named_device_model)
     values ($1, $2, $3, $4, $5, $6)`,
    valuesOf(userKey, alias),
  );
  await moveTombstones(client, userKey, alias);
}

/** Moves tombstones from the bundle id to the name, so that deleted items stay deleted. */
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
