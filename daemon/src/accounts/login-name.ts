import { asciiDomain } from '../platform/email-domain.js';

/** Invisible characters: control characters such as NUL, format characters and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * Normalizes a login name for lookups and counts: removes invisible characters, applies Unicode's compatibility form
 * (NFKC) and lower case, trims, and converts the domain to DNS spelling. Every spelling that finds an account therefore
 * counts toward that account's limits.
 */
export function normalizeLoginName(text: string): string {
  // Folds twice: lowercasing can produce text that is not in compatibility form, and that form can add blanks and
  // invisible characters.
  return asciiDomain(folded(folded(text)).replaceAll(INVISIBLE, '').trim());
}

function folded(text: string): string {
  return text.replaceAll(INVISIBLE, '').normalize('NFKC').toLowerCase();
}
