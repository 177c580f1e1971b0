import { createHash, randomBytes } from 'node:crypto';
import { ResponseError, json } from '../../response.js';
import type { SimulatorClock } from '../../clock.js';
import type { GrantStore } from '../../vendor/index.js';

const CODE_LIFE_MS = 600_000;
/** Maximum number of valid refresh tokens per account and client. Another token silently revokes the oldest. */
const REFRESH_TOKENS = 100;

/** An account's grant to the client. */
export interface Grant {
  account: string;
  scopes: Set<string>;
  alive: boolean;
}

/** An authorization code with the values that the exchange must repeat or prove. */
interface Code {
  grant: Grant;
  scopes: string[];
  redirectUri: string | null;
  challenge: string | null;
  isPlain: boolean;
  givesRefresh: boolean;
  expiresMs: number;
}

interface AccessToken {
  /** Undefined for an operator's token for subscriber calls. */
  grant?: Grant;
  account?: string;
  scopes: Set<string>;
  expiresMs: number;
}

interface RefreshToken {
  grant?: Grant;
  scopes: Set<string>;
  expiresMs?: number;
}

export interface IssuedTokens {
  accessToken: string;
  expiresInSeconds: number;
  refreshToken?: string;
  refreshExpiresInSeconds?: number;
  scopes: Set<string>;
  account?: string;
}

/**
 * Issued codes and tokens with their grants. Unlike at most vendors, an account has one grant with several access and
 * refresh tokens, each with its own scopes.
 */
export class Grants implements GrantStore<IssuedTokens> {
  private readonly grants = new Map<string, Grant>();
  private readonly codes = new Map<string, Code>();
  private readonly access = new Map<string, AccessToken>();
  private readonly refreshTokens = new Map<string, RefreshToken>();

  constructor(
    private readonly clock: SimulatorClock,
    private readonly lives: { accessSeconds: number; refreshSeconds?: number },
    /** True if a refresh returns a new refresh token and revokes the old token. */
    private readonly rotates: () => boolean,
  ) {}

  /**
   * Returns a single-use code for the granted scopes. Its exchange returns a refresh token if offline access was
   * requested and the consent is new or was prompted again.
   */
  consent(account: string, granted: readonly string[], query: URLSearchParams): string {
    const earlier = this.of(account);
    const grant = earlier ?? { account, scopes: new Set<string>(), alive: true };
    const isIncremental = query.get('include_granted_scopes') === 'true';
    const scopes = [...new Set([...(isIncremental ? grant.scopes : []), ...granted])];
    for (const scope of granted) grant.scopes.add(scope);
    this.grants.set(account, grant);
    const prompted = (query.get('prompt') ?? '').split(' ').includes('consent');
    const code = `4/0A${randomBytes(24).toString('base64url')}`;
    this.codes.set(code, {
      grant,
      scopes,
      redirectUri: query.get('redirect_uri'),
      challenge: query.get('code_challenge'),
      isPlain: query.get('code_challenge_method') !== 'S256',
      givesRefresh: query.get('access_type') === 'offline' && (earlier === undefined || prompted),
      expiresMs: this.clock.nowMs() + CODE_LIFE_MS,
    });
    return code;
  }

  /**
   * Returns undefined if the code is unknown, used or expired, or if its verifier does not match.
   * @throws ResponseError if the redirect URI differs
   */
  exchange(text: string, redirectUri: string | null, verifier: string | null): IssuedTokens | undefined {
    const code = this.codes.get(text);
    this.codes.delete(text);
    if (!code || code.expiresMs <= this.clock.nowMs() || !code.grant.alive) return undefined;
    if (code.redirectUri !== redirectUri) throw new ResponseError(json(400, { error: 'redirect_uri_mismatch' }));
    if (!provesChallenge(code, verifier ?? '')) return undefined;
    const scopes = new Set(code.scopes);
    const issued = this.accessFor(scopes, code.grant);
    return code.givesRefresh ? { ...issued, ...this.refreshFor(scopes, code.grant) } : issued;
  }

  /** Returns undefined if the refresh token is invalid. */
  refresh(refreshToken: string): IssuedTokens | undefined {
    const found = this.refreshTokens.get(refreshToken);
    if (!found || found.grant?.alive === false) return undefined;
    if (found.expiresMs !== undefined && found.expiresMs <= this.clock.nowMs()) return undefined;
    const issued = this.accessFor(found.scopes, found.grant);
    if (!this.rotates() || !found.grant) return issued;
    this.refreshTokens.delete(refreshToken);
    return { ...issued, ...this.refreshFor(found.scopes, found.grant) };
  }

  secondsLeft({ expiresInSeconds }: IssuedTokens): number {
    return expiresInSeconds;
  }

  liveOf(account: string): Grant[] {
    const grant = this.grants.get(account);
    return grant ? [grant] : [];
  }

  /** Issues an operator's access token. */
  issueOperator(scopes: string[]): IssuedTokens {
    return this.accessFor(new Set(scopes));
  }

  /** Issues an operator's refresh token, as in application default credentials. */
  issueOperatorRefresh(scopes: string[]): string {
    return this.refreshFor(new Set(scopes)).refreshToken;
  }

  /** Returns the token's access; undefined if it is unknown, expired or revoked. */
  opened(accessToken: string): AccessToken | undefined {
    const found = this.access.get(accessToken);
    return found && found.expiresMs > this.clock.nowMs() && found.grant?.alive !== false ? found : undefined;
  }

  /** Returns the account of a token, even if the token is no longer valid. */
  accountOf(accessToken: string): string | undefined {
    return this.access.get(accessToken)?.grant?.account;
  }

  /** Returns an account's active grant. */
  of(account: string): Grant | undefined {
    return this.grants.get(account);
  }

  /** Revokes the grant of an access or refresh token and returns it; undefined if the token was invalid. */
  revokeToken(token: string): Grant | undefined {
    const grant = (this.access.get(token) ?? this.refreshTokens.get(token))?.grant;
    return grant?.alive ? this.revoke(grant.account) : undefined;
  }

  /** Revokes an account's grant and returns it. */
  revoke(account: string): Grant | undefined {
    const grant = this.grants.get(account);
    if (grant) grant.alive = false;
    this.grants.delete(account);
    return grant;
  }

  expireAccess(account?: string): void {
    for (const token of this.access.values()) {
      if (account === undefined || token.grant?.account === account) token.expiresMs = 0;
    }
  }

  clear(): void {
    for (const map of [this.grants, this.codes, this.access, this.refreshTokens]) map.clear();
  }

  private accessFor(scopes: Set<string>, grant?: Grant): IssuedTokens {
    const { accessSeconds } = this.lives;
    const accessToken = `ya29.${grant ? 'a0' : 'c'}.sim-${randomBytes(30).toString('base64url')}`;
    this.access.set(accessToken, {
      grant,
      account: grant?.account,
      scopes,
      expiresMs: this.clock.nowMs() + accessSeconds * 1000,
    });
    return { accessToken, expiresInSeconds: accessSeconds - 1, scopes, account: grant?.account };
  }

  private refreshFor(scopes: Set<string>, grant?: Grant) {
    const { refreshSeconds } = this.lives;
    const refreshToken = `1//sim-${randomBytes(30).toString('base64url')}`;
    const limited = grant !== undefined && refreshSeconds !== undefined;
    const expiresMs = limited ? this.clock.nowMs() + refreshSeconds * 1000 : undefined;
    this.refreshTokens.set(refreshToken, { grant, scopes, expiresMs });
    const siblings = [...this.refreshTokens].filter(([, token]) => grant !== undefined && token.grant === grant);
    if (siblings.length > REFRESH_TOKENS) this.refreshTokens.delete(siblings[0]![0]);
    return { refreshToken, refreshExpiresInSeconds: limited ? refreshSeconds - 1 : undefined };
  }
}

function provesChallenge({ challenge, isPlain }: Code, verifier: string): boolean {
  if (challenge === null) return true;
  return challenge === (isPlain ? verifier : createHash('sha256').update(verifier).digest('base64url'));
}
