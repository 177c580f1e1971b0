import {
  type ConsoleTokens,
  endConsoleSession,
  openConsoleSession,
  renewConsoleSession,
  type Tokens,
} from '@healthd/schemas';
import type { Accounts } from '../../accounts/index.js';
import { Failure } from '../../platform/failures.js';
import { type Binding, bind } from '../binding.js';
import { rejectOtherSites, SessionCookie, type SessionCookieOptions } from '../session-cookie.js';
import { callerOf } from './sessions.js';

/** Routes for console sessions: the refresh token is in a cookie, the access token in the page's memory. */
export function consoleSessionRoutes({
  accounts: { sessions },
  cookie: options,
}: {
  accounts: Pick<Accounts, 'sessions'>;
  cookie: SessionCookieOptions;
}): Binding[] {
  const cookie = new SessionCookie(options);
  return [
    bind(openConsoleSession, async ({ body, request, response, note }) => {
      rejectOtherSites(request);
      const tokens = await sessions.login({
        email: body?.username,
        password: body?.password,
        address: request.ip,
      });
      note({ caller: callerOf({ kind: 'developer', developerId: tokens.developer_id }) });
      cookie.set(response, tokens.refresh_token);
      return withoutRefreshToken(tokens, tokens.developer_id);
    }),
    bind(renewConsoleSession, async ({ request, response, note }) => {
      const token = cookie.read(request);
      const renewed = token ? await sessions.refresh(token).catch(undefinedIfRejected) : undefined;
      if (renewed?.owner.kind !== 'developer') {
        cookie.clear(response);
        throw new Failure('unauthenticated', 'No session is open. Log in.');
      }
      const { developerId } = renewed.owner;
      note({ caller: callerOf(renewed.owner) });
      cookie.set(response, renewed.tokens.refresh_token);
      return withoutRefreshToken(renewed.tokens, developerId);
    }),
    bind(endConsoleSession, async ({ request, response, note }) => {
      const token = cookie.read(request);
      cookie.clear(response);
      const owner = token && (await sessions.revoke(token).catch(undefinedWhenEnded));
      if (owner) note({ caller: callerOf(owner) });
      return undefined;
    }),
  ];
}

function withoutRefreshToken({ access_token, token_type, expires_in }: Tokens, developer_id: string): ConsoleTokens {
  return { access_token, token_type, expires_in, developer_id };
}

/** Converts a rejected token to undefined. Other failures, such as a rate limit, must not end the session. */
function undefinedIfRejected(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === 'unauthenticated')) throw error;
}

/** Converts an ended session to undefined, because that is the requested state. */
function undefinedWhenEnded(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === 'not_found')) throw error;
}
