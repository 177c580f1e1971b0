import type { SourceIdentity } from '@healthd/model';
import type pg from 'pg';
import { type AppSource, appOf, isSameApp, type SourceAlias } from './app-sources.js';

/** Name of the repair that looks for sources that are one, and joins what is stored of them. */
export const JOIN_SOURCES = 'join_sources';

/** Has the user's sources compared, and what is stored of those that are one joined, by a job. */
export async function requestJoining(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query(
    `insert into pending_repair (user_key, repair) values ($1, $2) on conflict (user_key, repair) do nothing`,
    [userKey, JOIN_SOURCES],
  );
}

/** What was learnt of the user's sources. */
export async function loadAliases(client: pg.ClientBase, userKey: number): Promise<SourceAlias[]> {
  const { rows } = await client.query<{
    provider: AppSource['provider'];
    writer: string;
    device_model: string;
    named_writer: string;
    named_device_model: string;
  }>(
    `select provider, writer, device_model, named_writer, named_device_model from source_alias where user_key = $1
      order by learnt_at, writer, device_model`,
    [userKey],
  );
  return rows.map((row) => ({
    told: { provider: row.provider, writer: row.writer, deviceModel: row.device_model },
    named: { provider: row.provider, writer: row.named_writer, deviceModel: row.named_device_model },
  }));
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

function valuesOf(userKey: number, { told, named }: SourceAlias): (number | string)[] {
  return [userKey, told.provider, told.writer, told.deviceModel, named.writer, named.deviceModel];
}

/**
 * The source that a source of a batch is: itself, or the named one that it was learnt to be. The named one is described by
 * exports alone: a phone that holds an app is not the device that measured.
 */
export function knownSource(source: SourceIdentity, aliases: readonly SourceAlias[]): SourceIdentity {
  const app = appOf(source);
  const alias = app && aliases.find(({ told }) => isSameApp(told, app));
  return alias ? identityOf(alias.named) : source;
}

export function identityOf({ provider, writer, deviceModel }: AppSource): SourceIdentity {
  return { provider, writer, deviceModel: deviceModel || undefined, originalSourceName: writer };
}
