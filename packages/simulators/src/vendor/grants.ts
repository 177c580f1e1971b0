import { createHash, randomBytes } from 'node:crypto';
import { MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';

const CODE_LIFE_MS = 10 * MS_PER_MINUTE;

/** Grant of one account to the client. */
export interface Grant {
  account: string;
  scopes: readonly string[];
  alive: boolean;
  accessToken?: string;
  accessEndsMs: number;
  /** The grant's only valid refresh token. */
  refreshToken?: string;
}

/** Codes and tokens of a vendor. `Issued` is the data from which the token endpoint builds its response. */
export interface GrantStore<Issued = unknown> {
  /** Returns an authorization code for the user's consent. @param query query of the authorize page */
  consent(account: string, scopes: readonly string[], query: URLSearchParams): string;
  exchange(code: string, redirectUri: string | null, verifier: string | null): Issued | undefined;
  /** @param scopes requested with the refresh */
  refresh(refreshToken: string, scopes: readonly string[]): Issued | undefined;
  secondsLeft(issued: Issued): number;
  opened(accessToken: string): { account?: string | undefined } | undefined;
  liveOf(account: string): readonly { scopes: Iterable<string> }[];
  revoke(account: string): void;
  expireAccess(account?: string): void;
  clear(): void;
}

export interface GrantRules {
  /** Lifetime of access tokens in seconds. */
  accessSeconds: number;
  /** True if there are refresh tokens. Each is valid once. */
  refreshes: boolean;
  /** Scope that a consent and each refresh must request to receive a refresh token. Default: none. */
  refreshScope?: string;
  /** True if the exchange must repeat the redirect URL. Default false: it may omit the URL. */
  needsRedirectUri?: boolean;
  /** A renewal returns the same access token if more seconds than this remain. Default: always returns a new token. */
  keepsAccessAboveSeconds?: number;
  /** Creates a unique access token. Default: an opaque token. */
  accessToken?(account: string): string;
}

/** An authorization code with the values that the exchange must repeat or prove. */
interface Code {
  grant: Grant;
  redirectUri: string;
  challenge: string | undefined;
  endsMs: number;
}

/** Issued codes and tokens. */
export class Grants implements GrantStore<Grant> {
  private readonly codes = new Map<string, Code>();
  private grants: Grant[] = [];

  constructor(
    private readonly clock: SimulatorClock,
    private readonly rules: GrantRules,
  ) {}

  /** Issues a single-use code for the user's scopes. Ignores a PKCE challenge whose method is not S256. */
  consent(account: string, scopes: readonly string[], query: URLSearchParams): string {
    const redirectUri = query.get('redirect_uri') ?? '';
    const hasChallenge = query.get('code_challenge_method') === 'S256';
    const challenge = (hasChallenge && query.get('code_challenge')) || undefined;
    const code = randomBytes(24).toString('base64url');
    const grant: Grant = { account, scopes, alive: true, accessEndsMs: 0 };
    this.codes.set(code, { grant, redirectUri, challenge, endsMs: this.clock.nowMs() + CODE_LIFE_MS });
    return code;
  }

  /**
   * Returns undefined if the code is unknown, used or expired, or if the redirect URL or the verifier does not match.
   */
  exchange(code: string, redirectUri: string | null, verifier: string | null): Grant | undefined {
    const found = this.codes.get(code);
    this.codes.delete(code);
    if (!found || found.endsMs <= this.clock.nowMs()) return undefined;
    const isOmitted = redirectUri === null && !this.rules.needsRedirectUri;
    if (!isOmitted && redirectUri !== found.redirectUri) return undefined;
    const hash = createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url');
    if (found.challenge !== undefined && found.challenge !== hash) return undefined;
    this.grants.push(found.grant);
    return this.issue(found.grant, found.grant.scopes);
  }

  /** Returns undefined unless the token is its grant's latest refresh token. */
  refresh(refreshToken: string, scopes: readonly string[] = []): Grant | undefined {
    const grant = this.grants.find((one) => one.alive && one.refreshToken === refreshToken);
    const leftMs = (grant?.accessEndsMs ?? 0) - this.clock.nowMs();
    const { keepsAccessAboveSeconds } = this.rules;
    if (keepsAccessAboveSeconds !== undefined && leftMs > keepsAccessAboveSeconds * MS_PER_SECOND) return grant;
    return grant && this.issue(grant, scopes);
  }

  /** Returns the grant of an access token. */
  opened(accessToken: string): Grant | undefined {
    const grant = this.grants.find((one) => one.alive && one.accessToken === accessToken);
    return grant && grant.accessEndsMs > this.clock.nowMs() ? grant : undefined;
  }

  /** Returns the grant of an access or refresh token, valid or not. */
  ofToken(token: string): Grant | undefined {
    return this.grants.find((one) => one.refreshToken === token || one.accessToken === token);
  }

  liveOf(account: string): Grant[] {
    return this.grants.filter((grant) => grant.alive && grant.account === account);
  }

  /** Revokes all grants of an account. */
  revoke(account: string): void {
    for (const grant of this.liveOf(account)) grant.alive = false;
  }

  /** Expires access tokens; refresh tokens stay valid. */
  expireAccess(account?: string): void {
    for (const grant of this.grants) if (account === undefined || grant.account === account) grant.accessEndsMs = 0;
  }

  /** Returns the remaining whole seconds of an access token. */
  secondsLeft({ accessEndsMs }: Grant): number {
    return Math.max(0, Math.round((accessEndsMs - this.clock.nowMs()) / MS_PER_SECOND));
  }

  clear(): void {
    this.codes.clear();
    this.grants = [];
  }

  private issue(grant: Grant, requested: readonly string[]): Grant {
    const { refreshes, refreshScope } = this.rules;
    const getsRefresh = refreshes && (refreshScope === undefined || requested.includes(refreshScope));
    grant.accessToken = this.rules.accessToken?.(grant.account) ?? `at-${randomBytes(30).toString('base64url')}`;
    grant.accessEndsMs = this.clock.nowMs() + this.rules.accessSeconds * MS_PER_SECOND;
    grant.refreshToken = getsRefresh ? `rt-${randomBytes(30).toString('base64url')}` : undefined;
    return grant;
  }
}
