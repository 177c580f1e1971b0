import { createInvitationCode, createUserToken, redeemInvitationCode } from '@healthd/schemas';
import type { Accounts, TokenIssuer } from '../../accounts/index.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind, type Caller } from '../binding.js';
import { developerIn } from '../developer-in.js';

/**
 * Routes with which a device obtains tokens to push one user's data.
 * @param onAuthorized called with the user before the tokens are returned
 */
export function deviceTokenRoutes(
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
