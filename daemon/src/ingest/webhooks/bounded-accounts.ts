/** Accounts of one body that are remembered, so that a body of strangers does not fill the memory. */
const MAX_ACCOUNTS = 10_000;

/** What is known of the accounts that a body names, up to a limit of accounts. */
export class BoundedAccounts<T> {
  private known = new Map<string, readonly T[]>();
  /** Accounts for which nothing was found, the first ones of many. */
  readonly unmatched = new Set<string>();

  /** @param find looks an account up; one that was forgotten is looked up again */
  constructor(
    private readonly find: (account: string) => Promise<readonly T[]>,
    private readonly max: number = MAX_ACCOUNTS,
  ) {}

  async of(account: string): Promise<readonly T[]> {
    const known = this.known.get(account);
    if (known) return known;
    const found = await this.find(account);
    if (found.length === 0 && this.unmatched.size < this.max) this.unmatched.add(account);
    if (this.known.size >= this.max) this.known.clear();
    this.known.set(account, found);
    return found;
  }

  /** Has an account looked up again. */
  forget(account: string): void {
    this.known.delete(account);
  }

  /** How many are remembered. */
  get size(): number {
    return this.known.size;
  }
}
