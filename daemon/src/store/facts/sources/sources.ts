import { ITEM_LIMITS, type SourceIdentity } from '@healthd/model';
import { storableText } from '../storable-text.js';
import type { ResolvedSource, ResolvedSources, SourceContext } from './resolved-source.js';
import { knownSource } from './source-aliases.js';
import { upsertSources } from './source-rows.js';
import { keyOf, knownDeviceType, type StoredSource, type StoredSources, storedKey } from './stored-source.js';

/**
 * Finds or makes the row of each source. An app that was learnt to be another source is that one.
 * @returns `sources`: what the given ones are, but for new ones of a provider that has as many as there may be;
 * `stored`: all of the user as they are now; `deviceTypeChanged`: whether a stored source turned out to be another type
 * of device, so that totals that depend on it are out of date; `newProviders`: of sources that were not stored before
 */
export async function resolveSources(
  { client, userKey, sources: known, aliases, account }: SourceContext,
  given: Iterable<SourceIdentity>,
): Promise<{
  sources: ResolvedSources;
  stored: StoredSources;
  deviceTypeChanged: boolean;
  newProviders: readonly string[];
}> {
  const distinct = new Map<string, SourceIdentity>();
  for (const source of given) distinct.set(storedKey(source), source);
  const wanted = new Map<string, SourceIdentity>();
  const keys = new Map<string, string>();
  for (const [givenKey, source] of distinct) {
    const named = knownSource(source, aliases);
    const meant = account === undefined ? named : { ...named, account };
    const key = storedKey(meant);
    keys.set(givenKey, key);
    if (named === source || !wanted.has(key)) wanted.set(key, meant);
  }
  const counts = new Map<string, number>();
  for (const { provider } of known.values()) counts.set(provider, (counts.get(provider) ?? 0) + 1);
  const pending = [...wanted].filter(([key, source]) => {
    const row = known.get(key);
    if (row !== undefined) return describesAnew(source, row);
    const count = counts.get(source.provider) ?? 0;
    counts.set(source.provider, count + 1);
    return count < ITEM_LIMITS.sourcesOfProvider;
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
    if (!row) continue;
    const keyOfAnyAccount = keyOf({ ...row, account: null });
    sources.set(givenKey, { sourceId: row.source_id, provider: row.provider, key, keyOfAnyAccount, account });
  }
  const added = written.filter((row) => !known.has(keyOf(row)));
  return { sources, stored, deviceTypeChanged, newProviders: [...new Set(added.map(({ provider }) => provider))] };
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
