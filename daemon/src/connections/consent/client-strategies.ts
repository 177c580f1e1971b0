import type { ClientCredentials } from '@healthd/providers';
import type { ConfiguredCloud } from '../connections.js';
import { VendorStrategy } from './vendor-strategy.js';

/** The client's id and secret go into the body of the request for tokens (`client_secret_post`). */
class SecretInBodyStrategy extends VendorStrategy {
  protected override readonly authentication = 'body';
}

/** The client's id and secret go into the header `Authorization: Basic` (`client_secret_basic`). */
class BasicHeaderStrategy extends VendorStrategy {
  protected override readonly authentication = 'basic';
}

/** One class for each way of authenticating a client, with PKCE where the vendor has it. */
const STRATEGIES: Record<
  ClientCredentials['authentication'],
  new (
    configured: ConfiguredCloud,
    callbackUrl: string,
  ) => VendorStrategy
> = { body: SecretInBodyStrategy, basic: BasicHeaderStrategy };

/** The strategy of a vendor, in the way in which the vendor authenticates clients. */
export function createVendorStrategy(configured: ConfiguredCloud, callbackUrl: string): VendorStrategy {
  return new STRATEGIES[configured.cloud.oauth.clientAuthentication](configured, callbackUrl);
}
