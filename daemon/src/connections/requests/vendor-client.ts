import type { ClientCredentials } from '@healthd/providers';
import type { ConfiguredCloud } from '../connections.js';

/** Returns the application's client credentials. */
export function clientOf({ cloud, configuration }: ConfiguredCloud): ClientCredentials {
  return {
    clientId: configuration.clientId ?? '',
    clientSecret: configuration.clientSecret ?? '',
    authentication: cloud.oauth.clientAuthentication,
  };
}
