import { type ReplacementRecord, type SourceIdentity, sourceKey } from '@healthd/model';
import { storableText } from '../storable-text.js';

/** A source as its row describes it. */
export interface StoredSource {
  source_id: number;
  provider: SourceIdentity['provider'];
  /** Vendor account; null for pushes and files, and where the account of a cloud's source is unknown. */
  account: string | null;
  /** True if a vendor's cloud gave the data. */
  from_cloud: boolean;
  /** True if samples may have been pushed to it before their whole ids were kept. */
  has_unlisted_ids: boolean;
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

/** The key of a source as the table can hold it. */
export function storedKey(source: SourceIdentity): string {
  return sourceKey(cleaned(source));
}

/** What makes the identity of a source, as the table can hold it. */
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

/** What the source says of its type of device; undefined where it does not know. */
export function knownDeviceType(source: SourceIdentity): string | undefined {
  return source.deviceType === 'unknown' ? undefined : source.deviceType;
}

/** {@link storedKey} of a row. */
export function keyOf(row: StoredSource): string {
  return sourceKey(identityOf(row));
}

/** The provider of a source, and the ids of all sources of its writer and account, whichever device they name. */
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
 * The sources of a user that a replacement means. A source of another account, or of an unknown one, is not among them.
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
