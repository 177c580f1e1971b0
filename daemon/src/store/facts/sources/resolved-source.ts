import { ITEM_LIMITS, type RecordBatch, type SourceIdentity, TOO_MANY } from '@healthd/model';
import { storedKey } from './stored-source.js';

/** The stored source of a source in a batch. */
export interface ResolvedSource {
  sourceId: number;
  provider: string;
  /** {@link storedKey} of the stored source, which may have another name in the batch. */
  key: string;
  /** {@link storedKey} without the vendor account. */
  keyOfAnyAccount: string;
  account: string | undefined;
}

/** Keyed by {@link storedKey} of the source in the batch. */
export type ResolvedSources = ReadonlyMap<string, ResolvedSource>;

/** Returns the number of a source that {@link ResolvedSources} contains. */
export function sourceIdOf(sources: ResolvedSources, source: SourceIdentity): number {
  return sources.get(storedKey(source))?.sourceId as number;
}

/** Yields the sources of a batch's samples, then the sources of its records. */
export function* sourcesOfBatch(batch: RecordBatch): Generator<SourceIdentity> {
  yield* batch.sources;
  for (const record of batch.records) if ('source' in record) yield record.source;
}

/** Reason to reject an item whose source exceeds its provider's limit. */
export const SOURCE_BEYOND_LIMIT = {
  field: 'source',
  code: TOO_MANY,
  detail: `${ITEM_LIMITS.sourcesOfProvider} sources of a provider`,
} as const;
