import { domainToASCII, domainToUnicode } from 'node:url';

/** No domain is longer, in any spelling. Converting takes time with the square of the length. */
const LONGEST_DOMAIN = 255;

/** An email with the domain as the DNS spells it: `a@bücher.de` becomes `a@xn--bcher-kva.de`. What is no domain stays. */
export function asciiDomain(email: string): string {
  return withDomain(email, /[^\0-\x7f]/, domainToASCII);
}

/** The same email in each spelling of its domain: as it is, as the DNS has it, as people read it. */
export function domainSpellings(email: string): string[] {
  return [...new Set([email, asciiDomain(email), withDomain(email, /\bxn--/i, domainToUnicode)])];
}

function withDomain(email: string, needed: RegExp, convert: (domain: string) => string): string {
  const start = email.lastIndexOf('@') + 1;
  const domain = email.slice(start);
  if (start === 0 || domain.length > LONGEST_DOMAIN || !needed.test(domain)) return email;
  // Empty where there is no such domain
  return email.slice(0, start) + (convert(domain) || domain);
}
