import {
  createApiKey,
  currentDeveloper,
  deleteApiKey,
  listApiKeys,
  login,
  logout,
  refreshTokens,
  renameApiKey,
} from '@healthd/api';
import type { Accounts, TokenOwner } from '../../accounts/index.js';
import { Failure } from '../../failures.js';
import { type Binding, bind, type Caller } from '../binding.js';

/** Sessions of developers and API keys. */
export function accountRoutes({ accounts }: { accounts: Accounts }): Binding[] {
  return [...sessionRoutes(accounts), ...apiKeyRoutes(accounts)];
}

function sessionRoutes({ sessions, developers }: Accounts): Binding[] {
  return [
    bind(login, async ({ body, note }) => {
      const grant = body?.grant_type ?? 'password';
      const tokens = await sessions.login(grant === 'password' ? body?.username : undefined, body?.password);
      note({ caller: { kind: 'developer', developerId: tokens.developer_id, email: '', sessionId: '' } });
      return tokens;
    }),
    bind(refreshTokens, async ({ body, note }) => {
      const { tokens, owner } = await sessions.refresh(body.refresh_token);
      note({ caller: callerOf(owner) });
      return tokens;
    }),
    bind(logout, async ({ caller }) => {
      await sessions.logout(developerIn(caller).sessionId);
      return { message: 'Successfully logged out' };
    }),
    bind(currentDeveloper, ({ caller }) => developers.show(developerIn(caller).developerId)),
  ];
}

function apiKeyRoutes({ apiKeys }: Accounts): Binding[] {
  return [
    bind(listApiKeys, () => apiKeys.list()),
    bind(createApiKey, ({ body, caller }) => apiKeys.create(body ?? {}, developerIn(caller).developerId)),
    bind(renameApiKey, ({ params, body }) => apiKeys.rename(params.key_id, body.name ?? undefined)),
    bind(deleteApiKey, ({ params }) => apiKeys.remove(params.key_id)),
  ];
}

function developerIn(caller: Caller): Caller & { kind: 'developer' } {
  if (caller.kind !== 'developer') throw new Failure('unauthenticated', 'Could not validate credentials');
  return caller;
}

function callerOf(owner: TokenOwner): Caller {
  return owner.kind === 'developer'
    ? { kind: 'developer', developerId: owner.developerId, email: '', sessionId: '' }
    : { kind: 'sdk', userId: owner.userId, appId: owner.appId };
}
