import { type RecordBatch, type SourceIdentity, sourceKey } from '@healthd/model';
import type pg from 'pg';
import { storableText } from '../storable-text.js';
import { knownSource, type SourceAlias } from './source-aliases.js';

/** A source as its row describes it. */
export interface StoredSource {
  source_id: number;
  provider: SourceIdentity['provider'];
  device_model: string | null;
  writer: string | null;
  device_id: string | null;
  device_type: string | null;
  software_version: string | null;
  original_source_name: string | null;
  /** Days of its items when it was last compared with other apps; null: it never was. */
  compared_from: string | null;
  compared_until: string | null;
}

/** All sources of a user by {@link storedKey}. */
export type StoredSources = ReadonlyMap<string, StoredSource>;

/** What a source of a batch is. */
export interface ResolvedSource {
  sourceId: number;
  provider: string;
  /** {@link storedKey} of the source that it is, which may have another name in the batch. */
  key: string;
}

/** Keyed by {@link storedKey} of the source as the batch describes it. */
export type ResolvedSources = ReadonlyMap<string, ResolvedSource>;

/** The number that a source of a batch has. */
export function sourceIdOf(sources: ResolvedSources, source: SourceIdentity): number {
  return sources.get(storedKey(source))?.sourceId as number;
}

/** The sources that a batch names: those of its samples, then those of its records. */
export function* sourcesOfBatch(batch: RecordBatch): Generator<SourceIdentity> {
  yield* batch.sources;
  for (const record of batch.records) if ('source' in record) yield record.source;
}

/** What {@link resolveSources} needs to know; the user's row must be locked. */
export interface SourceContext {
  client: pg.ClientBase;
  userKey: number;
  sources: StoredSources;
  aliases: readonly SourceAlias[];
}

/**
 * Finds or makes the row of each source. An app that was learnt to be another source is that one.
 * @returns `sources`: what the given ones are; `stored`: all of the user as they are now; `deviceTypeChanged`: whether a
 * stored source turned out to be another type of device, so that totals that depend on it are out of date
 */
export async function resolveSources(
  { client, userKey, sources: known, aliases }: SourceContext,
  given: Iterable<SourceIdentity>,
): Promise<{ sources: ResolvedSources; stored: StoredSources; deviceTypeChanged: boolean }> {
  const distinct = new Map<string, SourceIdentity>();
  for (const source of given) distinct.set(storedKey(source), source);
  const wanted = new Map<string, SourceIdentity>();
  const keys = new Map<string, string>();
  for (const [givenKey, source] of distinct) {
    const meant = knownSource(source, aliases);
    const key = storedKey(meant);
    keys.set(givenKey, key);
    if (meant === source || !wanted.has(key)) wanted.set(key, meant);
  }
  const pending = [...wanted].filter(([key, source]) => {
    const row = known.get(key);
    return row === undefined || describesAnew(source, row);
  });
  const written = await upsertSources(
    client,
    userKey,
    pending.map(([, source]) => source),
  );
  const stored = new Map(known);
  for (const row of written) stored.set(keyOf(row), row);
  const deviceTypeChanged = written.some((row) => {
    const before = known.get(keyOf(row));
    return before !== undefined && before.device_type !== row.device_type;
  });
  const sources = new Map<string, ResolvedSource>();
  for (const [givenKey, key] of keys) {
    const row = stored.get(key);
    if (row) sources.set(givenKey, { sourceId: row.source_id, provider: row.provider, key });
  }
  return { sources, stored, deviceTypeChanged };
}

/** The key of a source as the table can hold it. */
export function storedKey(source: SourceIdentity): string {
  return sourceKey(cleaned(source));
}

/** What makes the identity of a source, as the table can hold it. */
function cleaned(source: SourceIdentity): SourceIdentity {
  const clean = (text: string | undefined) => (text === undefined ? undefined : storableText(text));
  return {
    provider: source.provider,
    deviceModel: clean(source.deviceModel),
    writer: clean(source.writer),
    deviceId: clean(source.deviceId),
  };
}

/** All sources of a user. */
export async function loadSources(client: pg.ClientBase, userKey: number): Promise<StoredSources> {
  const { rows } = await client.query<StoredSource>(
    `select source_id, provider, device_model, writer, device_id, device_type, software_version, original_source_name,
            compared_from, compared_until
       from data_source where user_key = $1`,
    [userKey],
  );
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Has the user's apps compared again with the next batch of one of them, as when something was deleted here. The user's row must be locked. */
export async function forgetComparisons(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query('update data_source set compared_from = null where user_key = $1 and compared_from is not null', [
    userKey,
  ]);
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
               original_source_name, compared_from, compared_until`,
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
  return sourceKey(identityOf(row));
}

function identityOf(row: StoredSource): SourceIdentity {
  return {
    provider: row.provider,
    deviceModel: row.device_model ?? undefined,
    writer: row.writer ?? undefined,
    deviceId: row.device_id ?? undefined,
  };
}
