import type { Accounts } from '../../accounts/index.js';
import type { Binding } from '../binding.js';
import { apiKeyRoutes } from './api-keys.js';
import { developerRoutes } from './developers.js';
import { deviceTokenRoutes } from './device-tokens.js';
import { sessionRoutes } from './sessions.js';

export interface AccountRouteServices {
  accounts: Accounts;
  /** Called for a user whose device was given new credentials. */
  onDeviceAuthorized?: (userId: string) => Promise<void>;
}

/** Everything about who may use the service: developers, sessions, API keys, applications, tokens of devices. */
export function accountRoutes({ accounts, onDeviceAuthorized }: AccountRouteServices): Binding[] {
  return [
    ...sessionRoutes(accounts),
    ...developerRoutes(accounts),
    ...apiKeyRoutes(accounts),
    ...deviceTokenRoutes(accounts, onDeviceAuthorized),
  ];
}
