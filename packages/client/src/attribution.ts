import type { Attribution, SourceMetadata } from '@healthd/schemas';

/** A row of health data, reduced to the members that identify its sources. */
interface SourcedRow {
  provider?: string;
  source?: SourceMetadata | string | null;
  sources?: Readonly<Record<string, SourceMetadata | null>>;
}

/**
 * Returns the texts that vendors require next to one row, for files with saved rows.
 * @param attribution attribution from the response that contains the row
 * @returns undefined if no vendor of this row requires a text
 */
export function attributionOfRow(row: object, attribution: Attribution | undefined): string | undefined {
  if (attribution === undefined) return undefined;
  const { provider, source, sources } = row as SourcedRow;
  const providers = [
    provider,
    ...[source, ...Object.values(sources ?? {})].map((one) => (typeof one === 'object' ? one?.provider : undefined)),
  ];
  const texts = attribution.flatMap((one) => (providers.includes(one.provider) ? [one.text] : []));
  return texts.length === 0 ? undefined : [...new Set(texts)].join('; ');
}

/** Merges the attributions of several responses, each provider once. */
export function mergeAttributions(...lists: readonly (Attribution | undefined)[]): Attribution {
  return [...new Map(lists.flatMap((list) => list ?? []).map((one) => [one.provider, one])).values()];
}
