import { ITEM_LIMITS, type SourceIdentity } from '@healthd/model';
import type { ResolvedSource, ResolvedSources } from '../facts/sources/resolved-source.js';
import { knownSource, type SourceAlias } from '../facts/sources/source-aliases.js';
import {
  keyOf,
  knownDeviceType,
  type StoredSource,
  type StoredSources,
  storedKey,
} from '../facts/sources/stored-source.js';
import { storableText } from '../facts/storable-text.js';

/** Stored sources of a user before a batch. */
export interface SourceSnapshot {
  sources: StoredSources;
  aliases: readonly SourceAlias[];
  /** Vendor account of the batch; undefined for pushes and files. */
  account: string | undefined;
}

/** Sources to insert or update, and the stored key of each source in the batch. */
export interface DecidedSources {
  written: readonly SourceIdentity[];
  /** {@link storedKey} of the stored source, by the key of the source in the batch. */
  keys: ReadonlyMap<string, string>;
}

/** Sources of a batch after they were written. */
export interface PlacedSources {
  /** Excludes new sources beyond their provider's limit. */
  sources: ResolvedSources;
  /** All sources of the user. */
  stored: StoredSources;
  /** True if the device type of a stored source changes, which makes dependent totals stale. */
  deviceTypeChanged: boolean;
  /** Providers of new sources. */
  newProviders: readonly string[];
}

/** Number of sources processed between two yields to the event loop. */
const SOURCES_AT_ONCE = 512;

/**
 * Decides which source rows to write. Replaces a source that was detected as an alias by its named source. Yields
 * between pieces of work, because each item of a batch may have its own source.
 */
export function* decideSources(
  { sources: known, aliases, account }: SourceSnapshot,
  identities: Iterable<SourceIdentity>,
): Generator<void, DecidedSources> {
  let decided = 0;
  const distinct = new Map<string, SourceIdentity>();
  for (const source of identities) {
    if (++decided % SOURCES_AT_ONCE === 0) yield;
    distinct.set(storedKey(source), source);
  }
  const resolvedSources = new Map<string, SourceIdentity>();
  const keys = new Map<string, string>();
  for (const [providedKey, source] of distinct) {
    if (++decided % SOURCES_AT_ONCE === 0) yield;
    const named = knownSource(source, aliases);
    const resolved = account === undefined ? named : { ...named, account };
    const key = storedKey(resolved);
    keys.set(providedKey, key);
    if (named === source || !resolvedSources.has(key)) resolvedSources.set(key, resolved);
  }
  const counts = new Map<string, number>();
  for (const { provider } of known.values()) counts.set(provider, (counts.get(provider) ?? 0) + 1);
  const written: SourceIdentity[] = [];
  for (const [key, source] of resolvedSources) {
    if (++decided % SOURCES_AT_ONCE === 0) yield;
    const row = known.get(key);
    if (row !== undefined) {
      if (changesDescription(source, row)) written.push(source);
      continue;
    }
    const count = counts.get(source.provider) ?? 0;
    counts.set(source.provider, count + 1);
    if (count < ITEM_LIMITS.sourcesOfProvider) written.push(source);
  }
  return { written, keys };
}

/** Combines the decision with the rows that were written. */
export function placedSources(
  { sources: known, account }: SourceSnapshot,
  { keys }: DecidedSources,
  written: readonly StoredSource[],
): PlacedSources {
  const stored = new Map(known);
  for (const row of written) stored.set(keyOf(row), row);
  const sources = new Map<string, ResolvedSource>();
  for (const [providedKey, key] of keys) {
    const row = stored.get(key);
    if (!row) continue;
    const keyOfAnyAccount = keyOf({ ...row, account: null });
    sources.set(providedKey, { sourceId: row.source_id, provider: row.provider, key, keyOfAnyAccount, account });
  }
  const isRetyped = (row: StoredSource) => {
    const before = known.get(keyOf(row));
    return before !== undefined && before.device_type !== row.device_type;
  };
  const added = written.filter((row) => !known.has(keyOf(row)));
  return {
    sources,
    stored,
    deviceTypeChanged: written.some(isRetyped),
    newProviders: [...new Set(added.map(({ provider }) => provider))],
  };
}

/** Returns the rows of sources for a dry run, which writes nothing. New sources get negative numbers. */
export function unwrittenSources({ sources: known }: SourceSnapshot, { written }: DecidedSources): StoredSource[] {
  const text = (value: string | undefined) => (value === undefined ? null : storableText(value));
  return written.map((source, index) => {
    const row = known.get(storedKey(source));
    return {
      source_id: row?.source_id ?? -1 - index,
      provider: source.provider,
      account: text(source.account || undefined),
      from_cloud: row?.from_cloud ?? source.account !== undefined,
      has_unlisted_ids: row?.has_unlisted_ids ?? false,
      device_model: text(source.deviceModel || undefined),
      writer: text(source.writer || undefined),
      device_id: text(source.deviceId || undefined),
      device_type: text(knownDeviceType(source)) ?? row?.device_type ?? null,
      software_version: text(source.softwareVersion) ?? row?.software_version ?? null,
      original_source_name: text(source.originalSourceName) ?? row?.original_source_name ?? null,
      compared_from: row?.compared_from ?? null,
      compared_until: row?.compared_until ?? null,
    };
  });
}

function changesDescription(source: SourceIdentity, row: StoredSource): boolean {
  const differs = (seen: string | undefined, known: string | null) =>
    seen !== undefined && storableText(seen) !== known;
  return (
    differs(knownDeviceType(source), row.device_type) ||
    differs(source.softwareVersion, row.software_version) ||
    differs(source.originalSourceName, row.original_source_name)
  );
}
