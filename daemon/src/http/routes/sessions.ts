import { login, logout, refreshTokens, revokeToken } from '@healthd/schemas';
import type { Accounts, TokenOwner } from '../../accounts/index.js';
import { type Binding, bind, type Caller } from '../binding.js';
import { developerIn } from '../developer-in.js';

export function sessionRoutes({ sessions }: Accounts): Binding[] {
  return [
    bind(login, async ({ body, request, note }) => {
      const grant = body?.grant_type ?? 'password';
      const email = grant === 'password' ? body?.username : undefined;
      const tokens = await sessions.login({ email, password: body?.password, address: request.ip });
      note({ caller: { kind: 'developer', developerId: tokens.developer_id, email: '', sessionId: '' } });
      return tokens;
    }),
    bind(refreshTokens, async ({ body, note }) => {
      const { tokens, owner } = await sessions.refresh(body.refresh_token);
      note({ caller: callerOf(owner) });
      return tokens;
    }),
    bind(revokeToken, async ({ body, note }) => {
      note({ caller: callerOf(await sessions.revoke(body.refresh_token)) });
      return undefined;
    }),
    bind(logout, async ({ caller }) => {
      await sessions.logout(developerIn(caller).sessionId);
      return { message: 'Successfully logged out' };
    }),
  ];
}

/** Returns the audit trail's caller for a session that was identified only by its token. */
export function callerOf(owner: TokenOwner): Caller {
  return owner.kind === 'developer'
    ? { kind: 'developer', developerId: owner.developerId, email: '', sessionId: '' }
    : { kind: 'sdk', userId: owner.userId, appId: owner.appId };
}
