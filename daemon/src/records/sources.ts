import { type SourceIdentity, sourceKey } from '@healthd/model';
import type pg from 'pg';
import { forgetAllMerged } from './merge/merged-store.js';
import { storableText } from './storable-text.js';

interface StoredSource {
  source_id: number;
  provider: SourceIdentity['provider'];
  device_model: string | null;
  writer: string | null;
  device_id: string | null;
  device_type: string | null;
  software_version: string | null;
  original_source_name: string | null;
}

/** A source as the roll-ups need it. */
export interface ResolvedSource {
  sourceId: number;
  provider: string;
}

/** Finds or makes the row of each source; the answer is keyed by {@link storedKey}. The user's row must be locked. */
export async function resolveSources(
  client: pg.ClientBase,
  userKey: number,
  sources: Iterable<SourceIdentity>,
): Promise<Map<string, ResolvedSource>> {
  const wanted = new Map<string, SourceIdentity>();
  for (const source of sources) wanted.set(storedKey(source), source);
  const resolved = new Map<string, ResolvedSource>();
  if (wanted.size === 0) return resolved;

  const stored = await storedSources(client, userKey);
  const pending = [...wanted].filter(([key, source]) => {
    const row = stored.get(key);
    return row === undefined || describesAnew(source, row);
  });
  const written = await upsertSources(
    client,
    userKey,
    pending.map(([, source]) => source),
  );
  const isOtherDevice = (row: StoredSource) => {
    const known = stored.get(keyOf(row));
    return known !== undefined && known.device_type !== row.device_type;
  };
  if (written.some(isOtherDevice)) await forgetAllMerged(client, userKey);
  for (const row of written) stored.set(keyOf(row), row);
  for (const key of wanted.keys()) {
    const row = stored.get(key);
    if (row) resolved.set(key, { sourceId: row.source_id, provider: row.provider });
  }
  return resolved;
}

/** The key of a source as the table can hold it. */
export function storedKey(source: SourceIdentity): string {
  const clean = (text: string | undefined) => (text === undefined ? undefined : storableText(text));
  return sourceKey({
    provider: source.provider,
    deviceModel: clean(source.deviceModel),
    writer: clean(source.writer),
    deviceId: clean(source.deviceId),
  });
}

async function storedSources(client: pg.ClientBase, userKey: number): Promise<Map<string, StoredSource>> {
  const { rows } = await client.query<StoredSource>(
    `select source_id, provider, device_model, writer, device_id, device_type, software_version, original_source_name
       from data_source where user_key = $1`,
    [userKey],
  );
  return new Map(rows.map((row) => [keyOf(row), row]));
}

async function upsertSources(
  client: pg.ClientBase,
  userKey: number,
  sources: SourceIdentity[],
): Promise<StoredSource[]> {
  if (sources.length === 0) return [];
  await rankProviders(client, [...new Set(sources.map(({ provider }) => provider))]);
  const texts = (value: (source: SourceIdentity) => string | undefined) =>
    sources.map((source) => {
      const text = value(source);
      return text === undefined ? null : storableText(text);
    });
  const { rows } = await client.query<StoredSource>(
    `insert into data_source (user_key, provider, device_model, writer, device_id, device_type, software_version,
                              original_source_name)
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
     on conflict (user_key, provider, coalesce(device_model, ''), coalesce(writer, ''), coalesce(device_id, ''))
     do update set device_type = coalesce(excluded.device_type, data_source.device_type),
                   software_version = coalesce(excluded.software_version, data_source.software_version),
                   original_source_name = coalesce(excluded.original_source_name, data_source.original_source_name),
                   updated_at = now()
     returning source_id, provider, device_model, writer, device_id, device_type, software_version,
               original_source_name`,
    [
      userKey,
      texts(({ provider }) => provider),
      texts(({ deviceModel }) => deviceModel || undefined),
      texts(({ writer }) => writer || undefined),
      texts(({ deviceId }) => deviceId || undefined),
      texts(knownDeviceType),
      texts(({ softwareVersion }) => softwareVersion),
      texts(({ originalSourceName }) => originalSourceName),
    ],
  );
  return rows;
}

/** A provider seen for the first time goes to the end of the priorities. The lock keeps two numbers from being equal. */
async function rankProviders(client: pg.ClientBase, providers: string[]): Promise<void> {
  const { rows } = await client.query<{ provider: string }>(
    `select provider from unnest($1::text[]) as seen (provider)
      where not exists (select from provider_priority ranked where ranked.provider = seen.provider)`,
    [providers],
  );
  if (rows.length === 0) return;
  await client.query(`select pg_advisory_xact_lock(hashtext('provider_priority'))`);
  await client.query(
    `insert into provider_priority (provider, priority)
     select provider, (select coalesce(max(priority), 0) from provider_priority) + position
       from unnest($1::text[]) with ordinality as seen (provider, position)
     on conflict (provider) do nothing`,
    [rows.map(({ provider }) => provider).sort()],
  );
}

function describesAnew(source: SourceIdentity, row: StoredSource): boolean {
  const differs = (seen: string | undefined, known: string | null) =>
    seen !== undefined && storableText(seen) !== known;
  return (
    differs(knownDeviceType(source), row.device_type) ||
    differs(source.softwareVersion, row.software_version) ||
    differs(source.originalSourceName, row.original_source_name)
  );
}

function knownDeviceType(source: SourceIdentity): string | undefined {
  return source.deviceType === 'unknown' ? undefined : source.deviceType;
}

function keyOf(row: StoredSource): string {
  return sourceKey({
    provider: row.provider,
    deviceModel: row.device_model ?? undefined,
    writer: row.writer ?? undefined,
    deviceId: row.device_id ?? undefined,
  });
}
