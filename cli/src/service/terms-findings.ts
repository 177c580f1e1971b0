import { listProviders, listProviderTerms } from '@healthd/contract';
import type { ProviderTermsResponse, VendorTermResponse } from '@healthd/schemas';
import type { Cli } from '../cli.js';
import { countText } from '../ui/amounts.js';
import { type Finding, failureFinding, ok, warning } from './findings.js';

/** Checks the terms of configured vendors: pending terms, overrides and unknown terms. */
export async function termsFindings(cli: Cli): Promise<Finding[]> {
  try {
    const client = await cli.client();
    const query = { cloud_only: true, include_unconfigured: true };
    const [{ items }, providers] = await Promise.all([
      client.call(listProviderTerms, { signal: cli.signal }),
      client.call(listProviders, { query, signal: cli.signal }),
    ]);
    const configured = new Set(providers.filter((one) => one.is_configured).map(({ provider }) => provider));
    return items.flatMap((one) => findingsOf(one, configured.has(one.provider)));
  } catch (error) {
    return [failureFinding('terms', error)];
  }
}

/** @param isConfigured true if the credentials of the vendor's cloud are set */
export function findingsOf({ provider, terms }: ProviderTermsResponse, isConfigured: boolean): Finding[] {
  const findings: Finding[] = [];
  const undecided = terms.filter(({ state, rows }) => state === 'asks' && (isConfigured || (rows ?? 0) > 0));
  for (const term of undecided) findings.push(question(provider, term));
  for (const { term, value, override } of terms) {
    if (!override) continue;
    const text = `${provider}: ${term} is ${value ?? 'lifted'} (${override.changed_by}: ${override.reason})`;
    findings.push(ok('terms', text));
  }
  for (const { term, answer: response } of terms) {
    if (response) findings.push(ok('terms', `${provider}: ${term} was ${response.answer} by ${response.answered_by}`));
  }
  const unknown = terms.filter(({ state }) => state === 'unknown');
  if (isConfigured && unknown.length > 0) {
    findings.push(ok('terms', `${provider}: terms not known: ${unknown.map(({ term }) => term).join(', ')}`));
  }
  return findings;
}

function question(provider: string, { term, value, rows }: VendorTermResponse): Finding {
  const does = term === 'combine' ? 'hide from summaries' : 'delete';
  return warning(
    'terms',
    `${provider}: the vendor demands ${term} = ${value}. Accepting it would ${does} ${countText(rows ?? 0, 'row')} now; nothing happens until you accept`,
    `healthctl providers terms ${provider} --accept ${term}, or --decline ${term}`,
  );
}
