import { type ReplacementRecord, type SourceIdentity, sourceKey } from '@healthd/model';
import { storableText } from '../storable-text.js';

/** A row of `data_source`. */
export interface StoredSource {
  source_id: number;
  provider: SourceIdentity['provider'];
  /** Vendor account; null for pushes and files, and for cloud sources with an unknown account. */
  account: string | null;
  /** True if the data arrived from a vendor's cloud. */
  from_cloud: boolean;
  /** True if the source may contain pushed samples from before complete ids were stored. */
  has_unlisted_ids: boolean;
  device_model: string | null;
  writer: string | null;
  device_id: string | null;
  device_type: string | null;
  software_version: string | null;
  original_source_name: string | null;
  /**
   * First day of the items that the source had at the last comparison with other apps or received since then; null if a
   * comparison is needed.
   */
  compared_from: string | null;
  compared_until: string | null;
}

/** All sources of a user by {@link storedKey}. */
export type StoredSources = ReadonlyMap<string, StoredSource>;

/** Returns the identity key of a source, with texts as Postgres stores them. */
export function storedKey(source: SourceIdentity): string {
  return sourceKey(cleaned(source));
}

/** Returns the identity of a source, with texts as Postgres stores them. */
function cleaned(source: SourceIdentity): SourceIdentity {
  const clean = (text: string | undefined) => (text === undefined ? undefined : storableText(text));
  return {
    provider: source.provider,
    account: clean(source.account),
    deviceModel: clean(source.deviceModel),
    writer: clean(source.writer),
    deviceId: clean(source.deviceId),
  };
}

/** Returns the device type that a source reports; undefined if the source reports no type or `unknown`. */
export function knownDeviceType(source: SourceIdentity): string | undefined {
  return source.deviceType === 'unknown' ? undefined : source.deviceType;
}

/** Returns the {@link storedKey} of a row. */
export function keyOf(row: StoredSource): string {
  return sourceKey(identityOf(row));
}

/** Returns the provider of a source, and the ids of all sources of its writer and account on any device. */
export function sourcesOfSameWriter(
  sources: StoredSources,
  sourceId: number,
): { provider: SourceIdentity['provider']; sourceIds: number[] } {
  const all = [...sources.values()];
  const own = all.find((source) => source.source_id === sourceId);
  if (!own) throw new Error(`source ${sourceId} is not stored`);
  const alike = all.filter(
    ({ provider, writer, account }) => provider === own.provider && writer === own.writer && account === own.account,
  );
  return { provider: own.provider, sourceIds: alike.map(({ source_id }) => source_id) };
}

/**
 * Returns the ids of the sources that a replacement covers. Excludes sources of other or unknown accounts.
 * @param account vendor account that the batch belongs to; undefined for pushes and files
 */
export function sourcesOfWriter(
  sources: StoredSources,
  { provider, writer }: Pick<ReplacementRecord, 'provider' | 'writer'>,
  account: string | undefined,
): number[] {
  const name = storableText(writer);
  return [...sources.values()]
    .filter((source) => source.provider === provider && source.writer !== null)
    .filter((source) => (account === undefined ? !source.from_cloud : source.account === storableText(account)))
    .filter((source) => source.writer === name || source.writer?.startsWith(`${name}/`))
    .map(({ source_id }) => source_id);
}

function identityOf(row: StoredSource): SourceIdentity {
  return {
    provider: row.provider,
    account: row.account ?? undefined,
    deviceModel: row.device_model ?? undefined,
    writer: row.writer ?? undefined,
    deviceId: row.device_id ?? undefined,
  };
}
