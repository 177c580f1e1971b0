import type { Tokens } from '@healthd/schemas';
import type { CallLimits } from './call-limits.js';
import type { RefreshTokens } from './refresh-tokens.js';
import type { Sessions } from './sessions.js';

/** Issuer of a user's token. */
export type TokenIssuer = { kind: 'application'; appId: string } | { kind: 'developer'; developerId: string };

/** Tokens with which a device pushes one user's data. */
export class UserTokens {
  constructor(
    private readonly sessions: Sessions,
    private readonly refreshTokens: RefreshTokens,
    private readonly limits: CallLimits,
  ) {}

  /**
   * Opens a session for a user's device. Returns undefined if the user or the application was deleted.
   * @throws Failure `too_many_requests`
   */
  async issue(userId: string, issuer: TokenIssuer): Promise<Tokens | undefined> {
    const appId = issuer.kind === 'application' ? issuer.appId : `admin:${issuer.developerId}`;
    if (issuer.kind === 'application') await this.limits.countAccount('token', appId);
    const issued = await this.refreshTokens.issue({ kind: 'sdk', userId, appId });
    return issued && this.sessions.tokens(issued);
  }
}
