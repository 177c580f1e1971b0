import { fromDayNumber, type SourceIdentity } from '@healthd/model';
import type pg from 'pg';
import { type QueryPart, readTogether } from '../../../platform/database/index.js';
import { storableText } from '../storable-text.js';
import { keyOf, knownDeviceType, type StoredSource, type StoredSources } from './stored-source.js';

/** All sources of a user. */
export const SOURCES: QueryPart<StoredSource, StoredSources> = {
  sql: `select source_id, provider, account, from_cloud, has_unlisted_ids, device_model, writer, device_id, device_type,
               software_version, original_source_name, compared_from, compared_until
          from data_source where user_key = $1`,
  read: (rows) => new Map(rows.map((row) => [keyOf(row), row])),
};

/** Loads {@link SOURCES}. */
export async function loadSources(client: pg.ClientBase, userKey: number): Promise<StoredSources> {
  return (await readTogether(client, 'records-load-sources', { sources: SOURCES }, [userKey])).sources;
}

/**
 * Deletes the last comparison of the user's apps, for example after a deletion. The next batch of one of these apps
 * requests a new comparison. The user's row must be locked.
 */
export async function forgetComparisons(client: pg.ClientBase, userKey: number): Promise<void> {
  await client.query('update data_source set compared_from = null where user_key = $1 and compared_from is not null', [
    userKey,
  ]);
}

/** Extends the stored day ranges of compared apps by their new items. Days since 1970-01-01, inclusive. */
export async function growComparisons(
  client: pg.ClientBase,
  userKey: number,
  grown: readonly { sourceId: number; first: number; last: number }[],
): Promise<void> {
  if (grown.length === 0) return;
  await client.query(
    // Reads the stored value, because an earlier batch or a deletion in this transaction may have changed it.
    `update data_source s
        set compared_from = least(s.compared_from, grown.first), compared_until = greatest(s.compared_until, grown.last)
       from unnest($2::int[], $3::date[], $4::date[]) as grown (source_id, first, last)
      where s.user_key = $1 and s.source_id = grown.source_id and s.compared_from is not null`,
    [
      userKey,
      grown.map(({ sourceId }) => sourceId),
      grown.map(({ first }) => fromDayNumber(first)),
      grown.map(({ last }) => fromDayNumber(last)),
    ],
  );
}

/** Inserts rows of sources, or updates their description. */
export async function upsertSources(
  client: pg.ClientBase,
  userKey: number,
  sources: readonly SourceIdentity[],
): Promise<StoredSource[]> {
  if (sources.length === 0) return [];
  const texts = (value: (source: SourceIdentity) => string | undefined) =>
    sources.map((source) => {
      const text = value(source);
      return text === undefined ? null : storableText(text);
    });
  const { rows } = await client.query<StoredSource>(
    `insert into data_source (user_key, provider, account, from_cloud, device_model, writer, device_id, device_type,
                              software_version, original_source_name)
     select $1, provider, account, account is not null, device_model, writer, device_id, device_type, software_version,
            original_source_name
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
            as given (provider, account, device_model, writer, device_id, device_type, software_version, original_source_name)
     on conflict (user_key, provider, coalesce(account, ''), coalesce(device_model, ''), coalesce(writer, ''),
                  coalesce(device_id, ''))
     do update set device_type = coalesce(excluded.device_type, data_source.device_type),
                   software_version = coalesce(excluded.software_version, data_source.software_version),
                   original_source_name = coalesce(excluded.original_source_name, data_source.original_source_name),
                   updated_at = now()
     returning source_id, provider, account, from_cloud, has_unlisted_ids, device_model, writer, device_id, device_type, software_version,
               original_source_name, compared_from, compared_until`,
    [
      userKey,
      texts(({ provider }) => provider),
      texts(({ account }) => account || undefined),
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
