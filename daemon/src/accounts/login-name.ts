import { asciiDomain } from '../platform/email-domain.js';

/** Characters no one sees: controls, NUL above all, invisible format characters and halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * The one form in which a login name is looked up and counted: without characters that no one sees, in Unicode's
 * compatibility form (NFKC), in lower case, without blanks at its ends, the domain as the DNS spells it. A spelling that
 * finds an account therefore counts as that account.
 */
export function normalizeLoginName(text: string): string {
  // Lower case may take the text out of its compatibility form, and compatibility forms may hold blanks and unseen ones.
  return asciiDomain(folded(folded(text)).replaceAll(UNSEEN, '').trim());
}

function folded(text: string): string {
  return text.replaceAll(UNSEEN, '').normalize('NFKC').toLowerCase();
}
