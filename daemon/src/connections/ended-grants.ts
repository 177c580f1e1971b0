import { MS_PER_MINUTE, type ProviderId } from '@healthd/model';

/** Longer than a consent takes from the exchange of its code until it is stored. */
const KEPT_MS = 10 * MS_PER_MINUTE;

/**
 * Grants that this process had vendors end lately. Tokens of the same account that were given before are dead with them. What
 * another process ended is not known here: the first sync finds those tokens refused.
 */
export class EndedGrants {
  private readonly endedAt = new Map<string, number>();

  note(provider: ProviderId, account: string): void {
    const now = performance.now();
    for (const [key, at] of this.endedAt) if (now - at > KEPT_MS) this.endedAt.delete(key);
    this.endedAt.set(keyOf(provider, account), now);
  }

  /** @param sinceMs of `performance.now()` */
  wasEndedSince(provider: ProviderId, account: string, sinceMs: number): boolean {
    return (this.endedAt.get(keyOf(provider, account)) ?? Number.NEGATIVE_INFINITY) >= sinceMs;
  }
}

const keyOf = (provider: ProviderId, account: string) => `${provider}/${account}`;
