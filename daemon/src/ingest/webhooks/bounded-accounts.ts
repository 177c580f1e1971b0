/** Maximum number of cached accounts, so that a body of unknown accounts cannot exhaust the memory. */
const MAX_ACCOUNTS = 10_000;

/** Caches lookups of the accounts in a body, up to a limit. */
export class BoundedAccounts<T> {
  private known = new Map<string, readonly T[]>();
  /** First accounts without a match, up to a limit. */
  readonly unmatched = new Set<string>();

  /** @param find looks up an account; called again after the account was evicted from the cache */
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

  /** Removes an account from the cache. */
  forget(account: string): void {
    this.known.delete(account);
  }

  get size(): number {
    return this.known.size;
  }
}
