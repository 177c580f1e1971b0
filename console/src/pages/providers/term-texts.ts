import type { VendorTermName } from '@healthd/contract';
import type { VendorTermResponse } from '@healthd/schemas';
import { formatCount } from '../../format.js';

type TermValue = VendorTermResponse['value'];

export const TERM_NAMES: Readonly<Record<VendorTermName, string>> = {
  assistants: 'AI assistants',
  combine: 'Combining data',
  cache_days: 'Storage limit',
  on_disconnect: 'After disconnecting',
  archive: 'Archiving',
  attribution: 'Attribution',
  research: 'Research',
};

/** Rule texts of terms with fixed choices. */
export const TERM_CHOICES = {
  assistants: { deny: 'AI assistants must not read the data', allow: 'AI assistants may read the data' },
  combine: {
    deny: 'Summaries must not mix the data with other vendors’ data',
    allow: 'Summaries may mix the data with other vendors’ data',
  },
  on_disconnect: {
    delete: 'Delete a person’s data when the connection ends',
    keep: 'Keep a person’s data when the connection ends',
  },
  archive: { deny: 'Keep samples at their original resolution', allow: 'Samples may be reduced to minutes and totals' },
} as const satisfies { readonly [Name in VendorTermName]?: Readonly<Record<string, string>> };

/** Returns the rule text of a term's value. */
export function ruleText(term: VendorTermName, value: TermValue): string {
  if (value === null) return 'Does not apply';
  if (term === 'cache_days') return `Store the data for ${daysText(value)} at most`;
  if (term === 'attribution') return `Show “${value}” next to the data`;
  if (term === 'research') return String(value);
  const choices: Readonly<Record<string, string>> = TERM_CHOICES[term];
  return choices[value] ?? String(value);
}

/** Returns the current effect of a term. */
export function effectText({ term, value, state }: VendorTermResponse): string {
  if (state === 'unknown') return 'Allowed, because the term is not known';
  if (state === 'asks') return 'No effect before you answer';
  if (state === 'declined') return 'No effect';
  if (state === 'allows') return ruleText(term, value);
  switch (term) {
    case 'assistants':
      return 'Withheld from AI assistants';
    case 'combine':
      return 'Withheld from summaries';
    case 'cache_days':
      return `Data older than ${daysText(value)} is deleted daily`;
    case 'on_disconnect':
      return 'Data is deleted when the connection ends';
    case 'archive':
      return 'Samples are not archived';
    case 'attribution':
      return `“${value}” is shown and exported`;
    case 'research':
      return 'Shown here only';
  }
}

/** Returns the question before a term deletes or hides data. */
export function questionText({ term, value }: VendorTermResponse): string {
  if (term === 'cache_days') return `Delete data that is older than ${daysText(value)}?`;
  if (term === 'combine') return 'Withhold the data from summaries?';
  return 'Delete a person’s data when the connection ends?';
}

/** Describes the source of the vendor's term. */
export function sourceText({ source, basis }: NonNullable<VendorTermResponse['declared']>): string {
  const how = { read: 'read there', quoted: 'quoted by two sources', one: 'quoted by one source' }[basis];
  return `${source}, ${how}`;
}

/** True if accepting the term deletes data for good. */
export function deletesData(term: VendorTermName): boolean {
  return term === 'cache_days' || term === 'on_disconnect';
}

/** `1,234 rows`. */
export function rowsText(rows: number | null): string {
  return `${formatCount(rows ?? 0)} ${rows === 1 ? 'row' : 'rows'}`;
}

function daysText(value: TermValue): string {
  return `${value} ${value === 1 ? 'day' : 'days'}`;
}
