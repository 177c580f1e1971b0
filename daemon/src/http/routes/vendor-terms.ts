import type { Attribution, Envelope, SourceMetadata, TimeSeriesSample } from '@healthd/schemas';
import type { VendorTerms } from '../../connections/index.js';
import { Failure } from '../../platform/failures.js';
import type { Withheld } from '../../query/index.js';
import { streamed } from './envelope-stream.js';

/** A response row that names the source of its values. */
interface SourcedRow {
  provider?: string;
  source?: SourceMetadata | string | null;
  sources?: Readonly<Record<string, SourceMetadata | null>>;
}

/** An explanation response, which contains values of several sources. */
interface ExplainedResponse {
  groups: readonly ExplainedPart[];
  metrics?: readonly ExplainedPart[];
}

interface ExplainedPart {
  candidates: readonly { source: SourceMetadata }[];
  days?: readonly { source: SourceMetadata | null }[] | undefined;
}

const NOTHING: Withheld = new Set();

/**
 * Applies vendors' terms to the responses of one request. This is the only place that removes health data from
 * responses.
 */
export async function termsOfReader(terms: Pick<VendorTerms, 'current'>, isAssistant: boolean) {
  const inForce = await terms.current();
  const withheld = isAssistant ? inForce.withheldFromAssistants : NOTHING;
  const withheldFromSummaries =
    inForce.hiddenFromSummaries.size === 0 ? withheld : new Set([...withheld, ...inForce.hiddenFromSummaries]);

  const attributionOf = (providers: Iterable<string>): Attribution | undefined => {
    const found = [...new Set(providers)].sort().flatMap((provider) => {
      const text = inForce.attribution.get(provider);
      return text === undefined ? [] : [{ provider, text }];
    });
    return found.length === 0 ? undefined : found;
  };
  const attributed = <Answer extends SourcedRow>(response: Answer): Answer & { attribution?: Attribution } => {
    const attribution = attributionOf(providersOf([response]));
    return attribution ? { ...response, attribution } : response;
  };
  const list = <Row extends SourcedRow>(page: Envelope<Row>): Envelope<Row> => {
    const attribution = attributionOf(providersOf(page.data));
    return attribution ? { ...page, metadata: { ...page.metadata, attribution } } : page;
  };
  return {
    /** Providers whose rows lists must omit. */
    withheld,
    /** Providers whose figures summaries must omit. */
    withheldFromSummaries,
    /** The terms that a time series must follow. */
    samples: { withheld, attributionOf },
    attributed,
    explained<Answer extends ExplainedResponse>(response: Answer): Answer & { attribution?: Attribution } {
      const parts = [...response.groups, ...(response.metrics ?? [])];
      const shown = parts.flatMap(({ candidates, days = [] }) => [...candidates, ...days]);
      const attribution = attributionOf(providersOf(shown));
      return attribution ? { ...response, attribution } : response;
    },
    list,
    /** Returns a page of summaries, after `cut` has removed forbidden figures from each row. */
    summaries<Row extends SourcedRow & { withheld?: string[] | undefined }>(
      page: Envelope<Row>,
      cut: (row: Row, providers: Withheld) => Row,
    ): Envelope<Row> {
      if (withheldFromSummaries.size === 0) return list(page);
      const data = page.data.map((row) => cut(row, withheldFromSummaries));
      const missing = [...new Set(data.flatMap((row) => row.withheld ?? []))].sort();
      const metadata = missing.length === 0 ? page.metadata : { ...page.metadata, withheld: missing };
      return list({ ...page, data, metadata });
    },
    /** Returns one workout or night. @throws Failure `forbidden` if the terms forbid it */
    one<Answer extends SourcedRow & { source: SourceMetadata }>(response: Answer) {
      const { provider } = response.source;
      if (withheld.has(provider)) {
        throw new Failure('forbidden', `The terms of ${provider} withhold this from assistants.`);
      }
      return attributed(response);
    },
    /** Returns a time series with its attribution. A series in chunks already contains it. */
    streamed: (response: Envelope<TimeSeriesSample> | AsyncIterable<string>) =>
      streamed('data' in response ? list(response) : response),
  };
}

function* providersOf(rows: readonly SourcedRow[]): Generator<string> {
  for (const { provider, source, sources } of rows) {
    if (provider !== undefined) yield provider;
    if (typeof source === 'object' && source !== null) yield source.provider;
    for (const one of Object.values(sources ?? {})) if (one) yield one.provider;
  }
}
