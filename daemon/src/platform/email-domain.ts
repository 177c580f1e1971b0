import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Maximum length of a domain in any spelling. Longer domains are not converted, because conversion takes quadratic
 * time.
 */
const LONGEST_DOMAIN = 255;

/**
 * Converts an email's domain to DNS spelling: `a@bücher.de` becomes `a@xn--bcher-kva.de`. Leaves an invalid domain
 * unchanged.
 */
export function asciiDomain(email: string): string {
  return withDomain(email, /[^\0-\x7f]/, domainToASCII);
}

/** Returns an email with each spelling of its domain: as provided, in DNS spelling, and in Unicode. */
export function domainSpellings(email: string): string[] {
  return [...new Set([email, asciiDomain(email), withDomain(email, /\bxn--/i, domainToUnicode)])];
}

function withDomain(email: string, needed: RegExp, convert: (domain: string) => string): string {
  const start = email.lastIndexOf('@') + 1;
  const domain = email.slice(start);
  if (start === 0 || domain.length > LONGEST_DOMAIN || !needed.test(domain)) return email;
  // The converter returns an empty text for an invalid domain.
  return email.slice(0, start) + (convert(domain) || domain);
}
