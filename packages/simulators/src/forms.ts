import { Random } from './random.js';

/**
 * Picks the forms in which a simulated vendor writes one account. They follow from the account's name, so that a failure
 * reproduces and accounts of other names have other forms.
 */
export function formsOf(vendor: string, account: string): Random {
  return new Random('forms', vendor, account);
}
