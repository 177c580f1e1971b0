import type { Accounts } from '../../accounts/index.js';
import type { Binding } from '../binding.js';
import { apiKeyRoutes } from './api-keys.js';
import { developerRoutes } from './developers.js';
import { deviceTokenRoutes } from './device-tokens.js';
import { sessionRoutes } from './sessions.js';

export interface AccountRouteServices {
  accounts: Accounts;
  /** Called for a user whose device has received new credentials. */
  onDeviceAuthorized?: (userId: string) => Promise<void>;
}

/** Routes for accounts and credentials: developers, sessions, API keys, applications, device tokens. */
export function accountRoutes({ accounts, onDeviceAuthorized }: AccountRouteServices): Binding[] {
  return [
    ...sessionRoutes(accounts),
    ...developerRoutes(accounts),
    ...apiKeyRoutes(accounts),
    ...deviceTokenRoutes(accounts, onDeviceAuthorized),
  ];
}
