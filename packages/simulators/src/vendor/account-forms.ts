import { Random } from '../random.js';
import type { People, Person } from './people.js';

/** Forms in which a vendor writes data, each with all that it can be. */
export type FormChoices<Forms> = { readonly [Name in keyof Forms]: readonly Forms[Name][] };

/**
 * The forms in which a simulated vendor writes the data of each account. They are drawn at random, and always the same for the
 * same seed and the same place of an account among the others, so that a failed test fails again.
 */
export class AccountForms<Forms extends object> {
  private forced: Partial<Forms> = {};

  constructor(
    private readonly choices: FormChoices<Forms>,
    private readonly people: People<Person>,
    private readonly seed = 1,
  ) {}

  /** Sets forms of all accounts. The others stay as they were drawn. */
  force(forms: Partial<Forms>): void {
    this.forced = { ...this.forced, ...forms };
  }

  of(account: string): Forms {
    const place = this.people.all().indexOf(this.people.require(account));
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
