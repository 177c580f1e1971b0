import { asciiDomain } from '../platform/email-domain.js';

/** Invisible characters: control characters such as NUL, format characters and lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * Returns the normalized form for lookups and counts: without invisible characters, in Unicode's compatibility form
 * (NFKC), in lower case, trimmed, with the domain in DNS spelling. Every spelling that finds an account therefore
 * counts toward that account's limits.
 */
export function normalizeLoginName(text: string): string {
  // Lowercasing may leave the compatibility form, and compatibility forms may contain blanks and invisible characters.
  return asciiDomain(folded(folded(text)).replaceAll(UNSEEN, '').trim());
}

function folded(text: string): string {
  return text.replaceAll(UNSEEN, '').normalize('NFKC').toLowerCase();
}
