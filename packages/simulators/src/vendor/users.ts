/** A generated account of a simulated vendor. */
export interface PersonFacts {
  /** Name in the control interface. */
  id: string;
  /** The vendor's id, as in the profile and in events. */
  userId: string;
  email: string;
  /** IANA zone of the generated data. */
  timeZone: string;
}

/** A user with an account at the vendor. */
export interface Person {
  readonly facts: PersonFacts;
  /** Other names that a login hint may contain. */
  readonly aliases?: readonly string[];
  /** Scopes that the user selects if automatic consent does not specify any. Default: all. */
  readonly ticks?: readonly string[] | undefined;
}

/** All accounts of a simulated vendor. */
export class People<P extends Person> {
  private readonly byId = new Map<string, P>();

  constructor(private readonly create: (facts: PersonFacts) => P) {}

  /** @throws if the id exists */
  add({ id, userId, ...otherFacts }: Partial<PersonFacts>, firstUserId: number): P {
    const number = userId ?? String(firstUserId + this.byId.size);
    const name = id ?? `person-${number}`;
    if (this.byId.has(name)) throw new Error(`the account ${name} already exists`);
    const facts = { id: name, userId: number, email: `${name}@example.com`, timeZone: 'Europe/Warsaw', ...otherFacts };
    const person = this.create(facts);
    this.byId.set(name, person);
    return person;
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
    const person = this.byId.get(id);
    if (!person) throw new Error(`account ${id} not found`);
    return person;
  }

  clear(): void {
    this.byId.clear();
  }
}
