import { Random } from './random.js';

/**
 * Selects the formats in which a simulated vendor writes one account. They are derived from the account's name, so that
 * failures are reproducible and accounts differ.
 */
export function formsOf(vendor: string, account: string): Random {
  return new Random('forms', vendor, account);
}
