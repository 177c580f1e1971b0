import { ITEM_LIMITS, type RecordBatch, type SourceIdentity, TOO_MANY } from '@healthd/model';
import type pg from 'pg';
import type { SourceAlias } from './source-aliases.js';
import { type StoredSources, storedKey } from './stored-source.js';

/** What a source of a batch is. */
export interface ResolvedSource {
  sourceId: number;
  provider: string;
  /** {@link storedKey} of the source that it is, which may have another name in the batch. */
  key: string;
  /** The same without the vendor account. */
  keyOfAnyAccount: string;
  account: string | undefined;
}

/** Keyed by {@link storedKey} of the source as the batch describes it. */
export type ResolvedSources = ReadonlyMap<string, ResolvedSource>;

/** The number that a source of a batch has; the batch's records are of sources that have one. */
export function sourceIdOf(sources: ResolvedSources, source: SourceIdentity): number {
  return sources.get(storedKey(source))?.sourceId as number;
}

/** What {@link resolveSources} needs to know; the user's row must be locked. */
export interface SourceContext {
  client: pg.ClientBase;
  userKey: number;
  sources: StoredSources;
  aliases: readonly SourceAlias[];
  /** Vendor account that the batch belongs to; undefined for pushes and files. */
  account: string | undefined;
}

/** The sources that a batch names: those of its samples, then those of its records. */
export function* sourcesOfBatch(batch: RecordBatch): Generator<SourceIdentity> {
  yield* batch.sources;
  for (const record of batch.records) if ('source' in record) yield record.source;
}

/** Why an item of a source that was not stored is rejected. */
export const SOURCE_BEYOND_LIMIT = {
  field: 'source',
  code: TOO_MANY,
  detail: `${ITEM_LIMITS.sourcesOfProvider} sources of a provider`,
} as const;
