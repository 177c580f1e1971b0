import {
  createApiKey,
  createApplication,
  createInvitationCode,
  createUserToken,
  deleteApiKey,
  deleteApplication,
  listApiKeys,
  listApplications,
  redeemInvitationCode,
  renameApiKey,
  rotateApiKey,
  rotateApplicationSecret,
} from '@healthd/schemas';
import type { Accounts, TokenIssuer } from '../../accounts/index.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind, type Caller } from '../binding.js';
import { developerIn } from '../developer-in.js';
import { developerRoutes } from './developers.js';
import { sessionRoutes } from './sessions.js';

export interface AccountRouteServices {
  accounts: Accounts;
  /** Called with the user after a device has received new credentials. */
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

/** Routes for the credentials of other programs: API keys and applications. */
function apiKeyRoutes({ apiKeys, applications }: Accounts): Binding[] {
  return [
    bind(listApiKeys, () => apiKeys.list()),
    bind(createApiKey, ({ body, caller }) => apiKeys.create(body ?? {}, developerIn(caller).developerId)),
    bind(renameApiKey, ({ params, body }) => apiKeys.rename(params.key_id, body.name ?? undefined)),
    bind(deleteApiKey, ({ params }) => apiKeys.remove(params.key_id)),
    bind(rotateApiKey, ({ params, body, caller }) =>
      apiKeys.rotate(params.key_id, body?.grace_seconds ?? 0, developerIn(caller).developerId),
    ),
    bind(listApplications, ({ caller }) => applications.list(developerIn(caller).developerId)),
    bind(createApplication, ({ body, caller }) => applications.create(body.name, developerIn(caller).developerId)),
    bind(rotateApplicationSecret, ({ params, caller }) =>
      applications.rotateSecret(params.app_id, developerIn(caller).developerId),
    ),
    bind(deleteApplication, async ({ params, caller }) => {
      await applications.remove(params.app_id, developerIn(caller).developerId);
      return undefined;
    }),
  ];
}

/**
 * Routes with which a device obtains tokens to push one user's data.
 * @param onAuthorized called with the user before the tokens are returned
 */
function deviceTokenRoutes(
  { userTokens, invitationCodes }: Accounts,
  onAuthorized: (userId: string) => Promise<void> = async () => undefined,
): Binding[] {
  return [
    bind(createUserToken, async ({ user, caller }) => {
      const tokens = await userTokens.issue(user.id, issuerIn(caller));
      if (!tokens)
        throw new Failure('not_found', 'No token was issued, because the user or the application was deleted.');
      await onAuthorized(user.id);
      return tokens;
    }),
    bind(createInvitationCode, ({ user, caller }) => invitationCodes.create(user.id, developerIn(caller).developerId)),
    bind(redeemInvitationCode, async ({ body, note }) => {
      const { tokens, appId } = await invitationCodes.redeem(body.code);
      note({ userId: tokens.user_id, caller: { kind: 'sdk', userId: tokens.user_id, appId } });
      await onAuthorized(tokens.user_id);
      return tokens;
    }),
  ];
}

function issuerIn(caller: Caller): TokenIssuer {
  return caller.kind === 'application' ? caller : { kind: 'developer', developerId: developerIn(caller).developerId };
}
