import { randomBytes } from 'node:crypto';
import { MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';

const CODE_LIFE_MS = 10 * MS_PER_MINUTE;

/** What one account has allowed the client. */
export interface Grant {
  account: string;
  scopes: readonly string[];
  alive: boolean;
  /** The one pair that works: every refresh ends the pair before it. */
  accessToken?: string;
  accessEndsMs: number;
  refreshToken?: string;
}

export interface TokenPair {
  access_token: string;
  expires_in: number;
  refresh_token?: string;
  scope: string;
  token_type: 'bearer';
}

/** Codes and tokens that were given out. */
export class Grants {
  private readonly codes = new Map<string, { grant: Grant; redirectUri: string; endsMs: number }>();
  private grants: Grant[] = [];

  constructor(
    private readonly clock: SimulatorClock,
    private readonly accessSeconds: number,
  ) {}

  /** A code, good for one use, for what the person allowed. */
  consent(account: string, scopes: readonly string[], redirectUri: string): string {
    const code = randomBytes(24).toString('base64url');
    const grant: Grant = { account, scopes, alive: true, accessEndsMs: 0 };
    this.codes.set(code, { grant, redirectUri, endsMs: this.clock.nowMs() + CODE_LIFE_MS });
    return code;
  }

  /** Undefined for a code that is unknown, used, too old or of another address. */
  exchange(code: string, redirectUri: string): TokenPair | undefined {
    const found = this.codes.get(code);
    this.codes.delete(code);
    if (!found || found.redirectUri !== redirectUri || found.endsMs <= this.clock.nowMs()) return undefined;
    this.grants.push(found.grant);
    return this.issue(found.grant, found.grant.scopes.includes('offline'));
  }

  /** Undefined for a refresh token that is not the newest of its grant. @param offline whether another one is given */
  refresh(refreshToken: string, offline: boolean): TokenPair | undefined {
    const grant = this.grants.find((one) => one.alive && one.refreshToken === refreshToken);
    return grant && this.issue(grant, offline);
  }

  /** What an access token opens. */
  opened(accessToken: string): Grant | undefined {
    const grant = this.grants.find((one) => one.alive && one.accessToken === accessToken);
    return grant && grant.accessEndsMs > this.clock.nowMs() ? grant : undefined;
  }

  liveOf(account: string): Grant[] {
    return this.grants.filter((grant) => grant.alive && grant.account === account);
  }

  /** Ends all that an account has granted. */
  revoke(account: string): void {
    for (const grant of this.liveOf(account)) grant.alive = false;
  }

  /** Kills access tokens; refresh tokens live on. */
  expireAccess(account?: string): void {
    for (const grant of this.grants) if (account === undefined || grant.account === account) grant.accessEndsMs = 0;
  }

  clear(): void {
    this.codes.clear();
    this.grants = [];
  }

  private issue(grant: Grant, offline: boolean): TokenPair {
    grant.accessToken = `at-${randomBytes(30).toString('base64url')}`;
    grant.accessEndsMs = this.clock.nowMs() + this.accessSeconds * MS_PER_SECOND;
    grant.refreshToken = offline ? `rt-${randomBytes(30).toString('base64url')}` : undefined;
    return {
      access_token: grant.accessToken,
      expires_in: this.accessSeconds,
      ...(grant.refreshToken !== undefined && { refresh_token: grant.refreshToken }),
      scope: grant.scopes.join(' '),
      token_type: 'bearer',
    };
  }
}
