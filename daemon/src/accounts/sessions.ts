import type { DeveloperTokens, Tokens } from '@healthd/schemas';
import { Failure } from '../platform/failures.js';
import type { AccessTokens, SdkClaims } from './access-tokens.js';
import { BriefCache } from './brief-cache.js';
import type { CallLimits } from './call-limits.js';
import type { LoginLocks } from './login-locks.js';
import { type AccountModels, findByLoginName } from './models.js';
import { passwordMatches } from './passwords.js';
import type { IssuedRefreshToken, RefreshTokens, TokenOwner } from './refresh-tokens.js';

/** A developer with a valid access token. */
export interface KnownDeveloper {
  id: string;
  email: string;
  sessionId: string;
}

/** A developer's login data and IP address. */
export interface Login {
  email: string | undefined;
  password: string | undefined;
  address: string | undefined;
}

export interface SessionServices {
  models: AccountModels;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  locks: LoginLocks;
  limits: CallLimits;
}

const BEARER = { 'WWW-Authenticate': 'Bearer' };
const CACHE_MILLISECONDS = 1000;

/** Handles login, refresh and logout. */
export class Sessions {
  readonly #known = new BriefCache<KnownDeveloper>(CACHE_MILLISECONDS);
  readonly #knownDevices = new BriefCache<string>(CACHE_MILLISECONDS);

  constructor(private readonly services: SessionServices) {}

  /**
   * @throws Failure `unauthenticated`, with the same message and timing for any mistake; `too_many_requests` after many
   * failures
   */
  async login({ email, password, address }: Login): Promise<DeveloperTokens> {
    if (email) await this.services.locks.attempt({ email, address });
    const developer = email ? await findByLoginName(this.services.models, email) : undefined;
    const matches = await passwordMatches(password ?? '', developer?.passwordHash);
    const tokens = developer && matches ? await this.open(developer.id, developer.passwordHash) : undefined;
    if (!email || !tokens) throw new Failure('unauthenticated', 'Incorrect email or password', { headers: BEARER });
    await this.services.locks.succeed({ email, address });
    return tokens;
  }

  /**
   * Opens a session for an authenticated developer. Returns undefined if the account or its password changed in the
   * meantime.
   */
  async open(developerId: string, passwordHash?: string): Promise<DeveloperTokens | undefined> {
    const proof = passwordHash === undefined ? {} : { passwordHash };
    const issued = await this.services.refreshTokens.issue({ kind: 'developer', developerId }, proof);
    return issued && { ...(await this.tokens(issued)), developer_id: developerId };
  }

  /** @throws Failure `unauthenticated`, `too_many_requests` */
  async refresh(token: string): Promise<{ tokens: Tokens; owner: TokenOwner }> {
    const sessionId = await this.services.refreshTokens.sessionOf(token);
    if (sessionId) await this.services.limits.countAccount('refresh', sessionId);
    const issued = sessionId && (await this.services.refreshTokens.rotate(token));
    if (!issued) throw new Failure('unauthenticated', 'Invalid or revoked refresh token', { headers: BEARER });
    return { tokens: await this.tokens(issued), owner: issued.owner };
  }

  async logout(sessionId: string): Promise<void> {
    await this.services.refreshTokens.revokeSession(sessionId);
    this.#forget(sessionId);
  }

  /**
   * Ends the session of a refresh token and returns its owner.
   * @throws Failure `not_found` if there is no open session
   */
  async revoke(token: string): Promise<TokenOwner> {
    const sessionId = await this.services.refreshTokens.sessionOf(token);
    const owner = sessionId === undefined ? undefined : await this.services.refreshTokens.revokeSession(sessionId);
    if (sessionId === undefined || !owner) throw new Failure('not_found', 'Refresh token not found');
    this.#forget(sessionId);
    return owner;
  }

  /**
   * Returns the developer of an access token; undefined if the token, its session or the developer is no longer valid.
   */
  async developerOf(accessToken: string): Promise<KnownDeveloper | undefined> {
    const claims = await this.services.accessTokens.verifyDeveloper(accessToken);
    if (!claims) return undefined;
    const { developerId, sessionId } = claims;
    const known = await this.#known.get(sessionId, async () => {
      if ((await this.services.refreshTokens.developerInSession(sessionId)) !== developerId) return undefined;
      const row = await this.services.models.developers.findByPk(developerId, { attributes: ['id', 'email'] });
      return row ? { id: row.id, email: row.email, sessionId } : undefined;
    });
    return known?.id === developerId ? known : undefined;
  }

  /** Returns the claims of a device's access token; undefined if the token has expired or its session has ended. */
  async deviceOf(accessToken: string): Promise<SdkClaims | undefined> {
    const claims = await this.services.accessTokens.verifySdk(accessToken);
    if (!claims) return undefined;
    const { userId, sessionId } = claims;
    const known = await this.#knownDevices.get(sessionId, () => this.services.refreshTokens.userInSession(sessionId));
    return known === userId ? claims : undefined;
  }

  #forget(sessionId: string): void {
    this.#known.delete(sessionId);
    this.#knownDevices.delete(sessionId);
  }

  /** Returns the response for a newly issued or renewed session. */
  async tokens(issued: IssuedRefreshToken): Promise<Tokens> {
    const { owner, sessionId, token } = issued;
    const access =
      owner.kind === 'developer'
        ? this.services.accessTokens.signDeveloper({ developerId: owner.developerId, sessionId })
        : this.services.accessTokens.signSdk({ ...owner, sessionId });
    return {
      access_token: await access,
      token_type: 'bearer',
      refresh_token: token,
      expires_in: this.services.accessTokens.lifetimeSeconds,
    };
  }
}
