/** A generated account of a simulated vendor. */
export interface AccountFacts {
  /** Name in the control interface. */
  id: string;
  /** The vendor's id, as in the profile and in events. */
  userId: string;
  email: string;
  /** IANA zone of the generated data. */
  timeZone: string;
}

/** A user with an account at the vendor. */
export interface SimulatedAccount {
  readonly facts: AccountFacts;
  /** Other names that a login hint may contain. */
  readonly aliases?: readonly string[];
  /** Scopes that the user selects if automatic consent does not specify any. Default: all. */
  readonly ticks?: readonly string[] | undefined;
}

/** All accounts of a simulated vendor. */
export class AccountList<P extends SimulatedAccount> {
  private readonly byId = new Map<string, P>();

  constructor(private readonly create: (facts: AccountFacts) => P) {}

  /** @throws if the id exists */
  add({ id, userId, ...otherFacts }: Partial<AccountFacts>, firstUserId: number): P {
    const number = userId ?? String(firstUserId + this.byId.size);
    const name = id ?? `person-${number}`;
    if (this.byId.has(name)) throw new Error(`the account ${name} already exists`);
    const facts = { id: name, userId: number, email: `${name}@example.com`, timeZone: 'Europe/Warsaw', ...otherFacts };
    const account = this.create(facts);
    this.byId.set(name, account);
    return account;
  }

  all(): P[] {
    return [...this.byId.values()];
  }

  /** Finds a user by control id, email or alias. Without a name returns the first user. */
  find(name: string | undefined): P | undefined {
    if (name === undefined || name === '') return this.all()[0];
    return this.all().find(
      ({ facts, aliases = [] }) => facts.id === name || facts.email === name || aliases.includes(name),
    );
  }

  /** @throws if no account has this id */
  require(id: string): P {
    const account = this.byId.get(id);
    if (!account) throw new Error(`account ${id} not found`);
    return account;
  }

  clear(): void {
    this.byId.clear();
  }
}
