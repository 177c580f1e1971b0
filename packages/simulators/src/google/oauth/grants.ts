import { randomBytes } from 'node:crypto';
import type { SimulatorClock } from '../../clock.js';

const CODE_LIFE_MS = 600_000;
/** Live refresh tokens of one account and client; one more and the oldest dies silently. */
const REFRESH_TOKENS = 100;

/** What one account has allowed the client. */
export interface Grant {
  account: string;
  scopes: Set<string>;
  alive: boolean;
}

/** What the client sent to the authorize page and must repeat or prove at the exchange. */
export interface CodeRequest {
  clientId: string;
  redirectUri: string;
  scopes: string[];
  offline: boolean;
  prompted: boolean;
  challenge?: { value: string; method: 'S256' | 'plain' };
}

interface AccessToken {
  /** Undefined: an operator's token for subscriber calls. */
  grant?: Grant;
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

/** Codes and tokens that were given out, and the grants behind them. */
export class Grants {
  private readonly grants = new Map<string, Grant>();
  private readonly codes = new Map<string, CodeRequest & { grant: Grant; fresh: boolean; expiresMs: number }>();
  private readonly access = new Map<string, AccessToken>();
  private readonly refresh = new Map<string, RefreshToken>();

  constructor(
    private readonly clock: SimulatorClock,
    private readonly lives: { accessSeconds: number; refreshSeconds?: number },
  ) {}

  /** A single-use code for what the person allowed. @param keepEarlier adds the scopes granted before */
  consent(account: string, request: CodeRequest, keepEarlier: boolean): string {
    const earlier = this.of(account);
    const grant = earlier ?? { account, scopes: new Set<string>(), alive: true };
    const scopes = keepEarlier ? [...new Set([...grant.scopes, ...request.scopes])] : request.scopes;
    for (const scope of request.scopes) grant.scopes.add(scope);
    this.grants.set(account, grant);
    const code = `4/0A${randomBytes(24).toString('base64url')}`;
    const expiresMs = this.clock.nowMs() + CODE_LIFE_MS;
    this.codes.set(code, { ...request, scopes, grant, fresh: earlier === undefined, expiresMs });
    return code;
  }

  /** The code's request, which is used up by that; undefined when it is unknown, used or too old. */
  takeCode(code: string) {
    const found = this.codes.get(code);
    this.codes.delete(code);
    return found && found.expiresMs > this.clock.nowMs() && found.grant.alive ? found : undefined;
  }

  /** Tokens of a code; a refresh token with offline access, when the consent was new or asked for. */
  issue(code: NonNullable<ReturnType<Grants['takeCode']>>): IssuedTokens {
    const scopes = new Set(code.scopes);
    const issued = this.accessFor(scopes, code.grant);
    if (!code.offline || !(code.fresh || code.prompted)) return issued;
    return { ...issued, ...this.refreshFor(scopes, code.grant) };
  }

  /** Undefined when the refresh token is dead. @param rotate gives a new one and ends the old */
  renew(refreshToken: string, rotate: boolean): IssuedTokens | undefined {
    const found = this.refresh.get(refreshToken);
    if (!found || found.grant?.alive === false) return undefined;
    if (found.expiresMs !== undefined && found.expiresMs <= this.clock.nowMs()) return undefined;
    const issued = this.accessFor(found.scopes, found.grant);
    if (!rotate || !found.grant) return issued;
    this.refresh.delete(refreshToken);
    return { ...issued, ...this.refreshFor(found.scopes, found.grant) };
  }

  /** An operator's token. */
  issueOperator(scopes: string[]): IssuedTokens {
    return this.accessFor(new Set(scopes));
  }

  /** An operator's refresh token, as application default credentials hold it. */
  issueOperatorRefresh(scopes: string[]): string {
    return this.refreshFor(new Set(scopes)).refreshToken;
  }

  /** What an access token opens; undefined when it is unknown, expired or revoked. */
  opened(accessToken: string): AccessToken | undefined {
    const found = this.access.get(accessToken);
    return found && found.expiresMs > this.clock.nowMs() && found.grant?.alive !== false ? found : undefined;
  }

  /** The account that a token was given out for, dead or alive. */
  accountOf(accessToken: string): string | undefined {
    return this.access.get(accessToken)?.grant?.account;
  }

  /** Live grant of an account. */
  of(account: string): Grant | undefined {
    return this.grants.get(account);
  }

  /** Ends the grant behind either kind of token, and gives it back; undefined when it was dead already. */
  revokeToken(token: string): Grant | undefined {
    const grant = (this.access.get(token) ?? this.refresh.get(token))?.grant;
    return grant?.alive ? this.revoke(grant.account) : undefined;
  }

  /** Ends what an account has granted, and gives it back. */
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
    for (const map of [this.grants, this.codes, this.access, this.refresh]) map.clear();
  }

  private accessFor(scopes: Set<string>, grant?: Grant): IssuedTokens {
    const { accessSeconds } = this.lives;
    const accessToken = `ya29.${grant ? 'a0' : 'c'}.sim-${randomBytes(30).toString('base64url')}`;
    this.access.set(accessToken, { grant, scopes, expiresMs: this.clock.nowMs() + accessSeconds * 1000 });
    return { accessToken, expiresInSeconds: accessSeconds - 1, scopes, account: grant?.account };
  }

  private refreshFor(scopes: Set<string>, grant?: Grant) {
    const { refreshSeconds } = this.lives;
    const refreshToken = `1//sim-${randomBytes(30).toString('base64url')}`;
    const limited = grant !== undefined && refreshSeconds !== undefined;
    const expiresMs = limited ? this.clock.nowMs() + refreshSeconds * 1000 : undefined;
    this.refresh.set(refreshToken, { grant, scopes, expiresMs });
    const siblings = [...this.refresh].filter(([, token]) => grant !== undefined && token.grant === grant);
    if (siblings.length > REFRESH_TOKENS) this.refresh.delete(siblings[0]![0]);
    return { refreshToken, refreshExpiresInSeconds: limited ? refreshSeconds - 1 : undefined };
  }
}
