import { isProviderId, MS_PER_MINUTE, MS_PER_SECOND, type ProviderId } from '@healthd/model';
import type { Logger } from 'pino';
import { tooMany } from '../../accounts/index.js';
import { addressKey } from '../../platform/address-key.js';
import { Failure } from '../../platform/failures.js';

/** Maximum idle time while the body of a delivery arrives. */
export const IDLE_SECONDS = 30;

/** Maximum number of counted IP addresses. The oldest count is dropped first. */
const MAX_ADDRESSES = 10_000;

/**
 * Counts rejected webhooks by minute and IP address (for IPv6, by network) in this process. With counts in the
 * database, an attacker could cause one write per request.
 */
export class WebhookRejections {
  readonly #windows = new Map<string, { refused: number; endsAtMs: number }>();

  /** @param limit number of rejected webhooks per address and minute that get a 401; 0 for no limit */
  constructor(
    private readonly limit: number,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Counts a delivery that is not from the vendor. Verified deliveries are never counted, so an attacker behind the
   * vendor's proxy cannot block the vendor.
   * @returns the failure: 401, or 429 above the limit
   */
  refuse(address: string | undefined, log: Pick<Logger, 'warn'>): Failure {
    const key = addressKey(address ?? '');
    const window = this.#windowOf(key);
    window.refused += 1;
    if (this.limit === 0 || window.refused <= this.limit) return notTheVendor();
    if (window.refused === this.limit + 1)
      log.warn(
        { event: 'webhook_sender_limited', address: key, refused: window.refused },
        'Limited an IP address that sent many webhooks without a valid signature',
      );
    return tooMany((window.endsAtMs - this.now()) / MS_PER_SECOND);
  }

  #windowOf(key: string) {
    const nowMs = this.now();
    const known = this.#windows.get(key);
    if (known && known.endsAtMs > nowMs) return known;
    const window = { refused: 0, endsAtMs: nowMs + MS_PER_MINUTE };
    // Deletes the old window first, so that the map stays ordered by the windows' start.
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > MAX_ADDRESSES && oldest !== undefined) this.#windows.delete(oldest);
    return window;
  }
}

/** Returns the provider in a webhook's path. @throws Failure `not_found` */
export function knownProvider(text: string): ProviderId {
  if (isProviderId(text)) return text;
  throw new Failure('not_found', `Unknown provider: '${text.slice(0, 64)}'`);
}

function notTheVendor(): Failure {
  return new Failure('unauthenticated', 'Invalid webhook signature');
}

/** Returns the failure for a provider without this type of webhook. */
export function unsupportedProvider(provider: ProviderId): Failure {
  return new Failure('not_implemented', `Provider '${provider}' sends no webhooks of this type`);
}
