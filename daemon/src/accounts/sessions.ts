import type { DeveloperTokens, Tokens } from '@healthd/api';
import type pg from 'pg';
import { Failure } from '../failures.js';
import type { AccessTokens } from './access-tokens.js';
import { BriefCache } from './brief-cache.js';
import type { AccountModels, Developer } from './models.js';
import { passwordMatches } from './passwords.js';
import type { IssuedRefreshToken, RefreshTokens, TokenOwner } from './refresh-tokens.js';

/** A developer whose access token holds. */
export interface KnownDeveloper {
  id: string;
  email: string;
  sessionId: string;
}

const BEARER = { 'WWW-Authenticate': 'Bearer' };
const CACHE_MILLISECONDS = 1000;

const DEVELOPER_IN_SESSION = `
select d.id, d.email from developer d
where d.id = $1 and exists (
  select 1 from refresh_token t where t.family_id = $2 and t.developer_id = d.id and t.revoked_at is null)`;

/** Logging in, staying logged in, logging out. */
export class Sessions {
  readonly #known = new BriefCache<KnownDeveloper>(CACHE_MILLISECONDS);

  constructor(
    private readonly pool: pg.Pool,
    private readonly models: AccountModels,
    private readonly accessTokens: AccessTokens,
    private readonly refreshTokens: RefreshTokens,
  ) {}

  /** @throws Failure `unauthenticated`, the same and after the same time whatever was wrong */
  async login(email: string | undefined, password: string | undefined): Promise<DeveloperTokens> {
    const developer = email ? await this.#byEmail(email) : undefined;
    const matches = await passwordMatches(password ?? '', developer?.passwordHash);
    if (!developer || !matches) {
      throw new Failure('unauthenticated', 'Incorrect email or password', { headers: BEARER });
    }
    return this.open(developer.id);
  }

  /** Opens a session for a developer who has been authenticated. */
  async open(developerId: string): Promise<DeveloperTokens> {
    const tokens = await this.#tokens(await this.refreshTokens.issue({ kind: 'developer', developerId }));
    return { ...tokens, developer_id: developerId };
  }

  /** @throws Failure `unauthenticated` */
  async refresh(token: string): Promise<{ tokens: Tokens; owner: TokenOwner }> {
    const issued = await this.refreshTokens.rotate(token);
    if (!issued) throw new Failure('unauthenticated', 'Invalid or revoked refresh token', { headers: BEARER });
    return { tokens: await this.#tokens(issued), owner: issued.owner };
  }

  async logout(sessionId: string): Promise<void> {
    await this.refreshTokens.revokeSession(sessionId);
    this.#known.delete(sessionId);
  }

  /** The developer behind an access token; undefined when the token, its session or the developer is gone. */
  async developerOf(accessToken: string): Promise<KnownDeveloper | undefined> {
    const claims = await this.accessTokens.verifyDeveloper(accessToken);
    if (!claims) return undefined;
    const { developerId, sessionId } = claims;
    return this.#known.get(sessionId, async () => {
      const found = await this.pool.query<{ id: string; email: string }>(DEVELOPER_IN_SESSION, [
        developerId,
        sessionId,
      ]);
      const row = found.rows[0];
      return row && { ...row, sessionId };
    });
  }

  async #byEmail(email: string): Promise<Developer | undefined> {
    const { developers } = this.models;
    const lower = developers.sequelize!.fn('lower', developers.sequelize!.col('email'));
    const where = developers.sequelize!.where(lower, email.toLowerCase().replaceAll('\0', ''));
    return (await developers.findOne({ where })) ?? undefined;
  }

  async #tokens(issued: IssuedRefreshToken): Promise<Tokens> {
    const { owner, sessionId, token } = issued;
    const access =
      owner.kind === 'developer'
        ? this.accessTokens.signDeveloper({ developerId: owner.developerId, sessionId })
        : this.accessTokens.signSdk(owner);
    return {
      access_token: await access,
      token_type: 'bearer',
      refresh_token: token,
      expires_in: this.accessTokens.lifetimeSeconds,
    };
  }
}
