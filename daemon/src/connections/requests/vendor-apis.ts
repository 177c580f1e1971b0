import type { ProviderId } from '@healthd/model';
import { createVendorApi, type TokenSource, type VendorApi, VendorError } from '@healthd/providers';
import type { ConfiguredCloud } from '../connections.js';
import type { Connection } from '../store/connection.js';
import type { TokenRenewal } from '../tokens/token-renewal.js';
import type { RequestBudgets } from './request-budget.js';

export interface VendorApisOptions {
  budgets: RequestBudgets;
  renewal: TokenRenewal;
  /** @throws Error when the provider has no cloud or no credentials */
  cloudOf(provider: ProviderId): ConfiguredCloud;
}

/** Vendors' APIs as connections may use them: with their tokens, within the quotas. */
export class VendorApis {
  constructor(private readonly options: VendorApisOptions) {}

  of(connection: Connection, signal?: AbortSignal): VendorApi {
    const { provider, providerUserId, id } = connection;
    const tokens = this.options.renewal.sourceOf(connection);
    return this.create(provider, providerUserId ?? id, tokens, signal);
  }

  /** For a consent that is not stored yet. @param name anything that is the same for one consent */
  ofNewTokens(provider: ProviderId, accessToken: string, name: string, signal: AbortSignal): VendorApi {
    const tokens: TokenSource = {
      current: async () => accessToken,
      renew: async () => {
        throw new VendorError({ code: 'unauthorized', reason: 'new_token_refused' });
      },
    };
    return this.create(provider, name, tokens, signal);
  }

  private create(provider: ProviderId, account: string, tokens: TokenSource, signal?: AbortSignal): VendorApi {
    const { budgets, cloudOf } = this.options;
    const { cloud, configuration } = cloudOf(provider);
    return createVendorApi({
      addresses: configuration.addresses,
      tokens,
      budgets: [
        budgets.person(provider, account, configuration.requestsPerMinute ?? cloud.quotas.perPersonAndMinute),
        budgets.application(provider, cloud.quotas.perApplicationAndMinute),
      ],
      readError: cloud.readError,
      maxResponseBytes: cloud.maxResponseBytes,
      ...(signal && { signal }),
    });
  }
}
