import { Random } from '../random.js';
import type { AccountList, SimulatedAccount } from './accounts.js';

/** Formats of a vendor, each with its possible values. */
export type FormChoices<Forms> = { readonly [Name in keyof Forms]: readonly Forms[Name][] };

/**
 * Formats in which a simulated vendor writes each account's data. They are drawn at random, but reproducibly for the
 * seed and the account's position, so that a failed test fails again.
 */
export class AccountForms<Forms extends object> {
  private forced: Partial<Forms> = {};

  constructor(
    private readonly choices: FormChoices<Forms>,
    private readonly accounts: AccountList<SimulatedAccount>,
    private readonly seed = 1,
  ) {}

  /** Sets formats for all accounts. Formats that are not set stay random. */
  force(forms: Partial<Forms>): void {
    this.forced = { ...this.forced, ...forms };
  }

  of(account: string): Forms {
    const place = this.accounts.all().indexOf(this.accounts.require(account));
    const random = new Random(this.seed, place, 'forms');
    const drawn = Object.entries<readonly unknown[]>(this.choices).map(([name, all]) => [
      name,
      all[random.integer(0, all.length - 1)],
    ]);
    return { ...(Object.fromEntries(drawn) as Forms), ...this.forced };
  }

  clear(): void {
    this.forced = {};
  }
}
