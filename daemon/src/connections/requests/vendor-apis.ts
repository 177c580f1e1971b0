import type { ProviderId } from '@healthd/model';
import { createVendorApi, type TokenSource, type VendorApi, VendorError } from '@healthd/providers';
import type { ConfiguredCloud } from '../connections.js';
import type { Connection } from '../store/connection.js';
import type { TokenRenewal } from '../tokens/token-renewal.js';
import { burstOf, windowsOf } from './quota-windows.js';
import type { RequestBudgets } from './request-budget.js';
import type { RequestPriority } from './request-priority.js';

export interface VendorApisOptions {
  budgets: RequestBudgets;
  renewal: TokenRenewal;
  /** @throws Error if the provider has no cloud or no credentials */
  cloudOf(provider: ProviderId): ConfiguredCloud;
}

/** Creates vendor APIs that use a connection's tokens and stay within the quotas. */
export class VendorApis {
  constructor(private readonly options: VendorApisOptions) {}

  /** @param priority order of requests when the application's quota is short */
  of(connection: Connection, signal?: AbortSignal, priority: RequestPriority = 'manual'): VendorApi {
    const { provider, providerUserId, id } = connection;
    const tokens = this.options.renewal.sourceOf(connection);
    return this.create(provider, providerUserId ?? id, tokens, priority, signal);
  }

  /** Returns the API for a consent that is not stored yet. @param name any text that identifies the consent */
  ofNewTokens(provider: ProviderId, accessToken: string, name: string, signal: AbortSignal): VendorApi {
    const tokens: TokenSource = {
      current: async () => accessToken,
      renew: async () => {
        throw new VendorError({ code: 'unauthorized', reason: 'new_token_refused' });
      },
    };
    return this.create(provider, name, tokens, 'manual', signal);
  }

  private create(
    provider: ProviderId,
    account: string,
    tokens: TokenSource,
    priority: RequestPriority,
    signal?: AbortSignal,
  ): VendorApi {
    const { budgets, cloudOf } = this.options;
    const { cloud, configuration } = cloudOf(provider);
    const { perUserAndMinute } = cloud.quotas;
    const windows = windowsOf(cloud.quotas);
    const user = { account, perMinute: configuration.requestsPerMinute ?? perUserAndMinute };
    return createVendorApi({
      addresses: configuration.addresses,
      tokens,
      budgets: [budgets.both(provider, user, windows, priority)],
      onAnswer: async (headers) => {
        for (const left of cloud.quotas.remaining?.(headers) ?? []) {
          const window = windows.find(({ seconds }) => seconds === left.seconds);
          // Ignores a remaining count of at least the whole burst, because it adds no information.
          if (window && left.requests < burstOf(window)) await budgets.lower(provider, left);
        }
      },
      headers: cloud.requestHeaders?.(configuration),
      readError: cloud.readError,
      maxResponseBytes: cloud.maxResponseBytes,
      ...(signal && { signal }),
    });
  }
}
