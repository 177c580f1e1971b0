/** Evidence for a term: `read` in the vendor's text, `quoted` by two public sources, or quoted by only `one` source. */
export const TERM_BASES = ['read', 'quoted', 'one'] as const;
type TermBasis = (typeof TERM_BASES)[number];

/** Rules that a vendor's terms may impose on the operator, with their possible values. */
export interface TermValues {
  /** `allow` if assistants (AI) may read the data. */
  assistants: 'allow' | 'deny';
  /** `allow` if the data may be shown together with other vendors' data in one summary. */
  combine: 'allow' | 'deny';
  /** Number of days that data may be stored. */
  cacheDays: number;
  /** Treatment of stored data when a user disconnects. */
  onDisconnect: 'keep' | 'delete';
  /** `allow` if samples may be reduced to minutes and totals. */
  archive: 'allow' | 'deny';
  /** Text that must be displayed next to the data and included in exports. */
  attribution: string;
  /** Requirements for using the data in research. */
  research: string;
}
export type TermName = keyof TermValues;

/** A term as the vendor states it. */
export interface VendorTerm<Value> {
  value: Value;
  basis: TermBasis;
  /** Location of the term, for operators who want to verify it. */
  source: string;
}

/** Obligations from a vendor's terms; null if unknown, which is treated as allowed. */
export type ProviderTerms = { readonly [Name in TermName]: VendorTerm<TermValues[Name]> | null };

/** Names of the terms in display order. */
export const TERM_NAMES = [
  'assistants',
  'combine',
  'cacheDays',
  'onDisconnect',
  'archive',
  'attribution',
  'research',
] as const satisfies readonly TermName[];

/** Terms that delete data or hide it from summaries. They act only after the operator has accepted them. */
export type AcceptedTermName = 'combine' | 'cacheDays' | 'onDisconnect';

/** Values of the terms that are a choice. The value of any other term is a number of days or a text. */
const TERM_CHOICES = {
  assistants: ['allow', 'deny'],
  combine: ['allow', 'deny'],
  onDisconnect: ['keep', 'delete'],
  archive: ['allow', 'deny'],
} as const satisfies { readonly [Name in TermName]?: readonly TermValues[Name][] };

/** Maximum number of days of a cache limit. */
const MAX_CACHE_DAYS = 3650;
/** Maximum length of an attribution or a research condition. */
const MAX_TERM_TEXT = 200;

const UNKNOWN: ProviderTerms = {
  assistants: null,
  combine: null,
  cacheDays: null,
  onDisconnect: null,
  archive: null,
  attribution: null,
  research: null,
};

/** Terms of a vendor; omitted terms are unknown. */
export function vendorTerms(known: Partial<ProviderTerms>): ProviderTerms {
  return { ...UNKNOWN, ...known };
}

/** True if the term allows this value. */
export function isTermValue(name: TermName, value: unknown): boolean {
  if (name === 'cacheDays') {
    return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_CACHE_DAYS;
  }
  if (name === 'attribution' || name === 'research') {
    return typeof value === 'string' && value.trim().length > 0 && value.length <= MAX_TERM_TEXT;
  }
  return (TERM_CHOICES[name] as readonly unknown[]).includes(value);
}

/** True if a term with this value deletes data or hides it from summaries. */
export function needsAcceptance(name: TermName, value: unknown): name is AcceptedTermName {
  if (name === 'cacheDays') return typeof value === 'number';
  return (name === 'combine' && value === 'deny') || (name === 'onDisconnect' && value === 'delete');
}
