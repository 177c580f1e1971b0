import { randomBytes } from 'node:crypto';
import { MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';

const CODE_LIFE_MS = 10 * MS_PER_MINUTE;

/** Grant of one account to the client. */
export interface Grant {
  account: string;
  scopes: readonly string[];
  alive: boolean;
  /** The only valid pair: every refresh invalidates the previous one. */
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

/** Issued codes and tokens. */
export class Grants {
  private readonly codes = new Map<string, { grant: Grant; redirectUri: string; endsMs: number }>();
  private grants: Grant[] = [];

  constructor(
    private readonly clock: SimulatorClock,
    private readonly accessSeconds: number,
  ) {}

  /** Issues a single-use code for the user's scopes. */
  consent(account: string, scopes: readonly string[], redirectUri: string): string {
    const code = randomBytes(24).toString('base64url');
    const grant: Grant = { account, scopes, alive: true, accessEndsMs: 0 };
    this.codes.set(code, { grant, redirectUri, endsMs: this.clock.nowMs() + CODE_LIFE_MS });
    return code;
  }

  /** Undefined for a code that is unknown, used, expired, or has another URL. */
  exchange(code: string, redirectUri: string): TokenPair | undefined {
    const found = this.codes.get(code);
    this.codes.delete(code);
    if (!found || found.redirectUri !== redirectUri || found.endsMs <= this.clock.nowMs()) return undefined;
    this.grants.push(found.grant);
    return this.issue(found.grant, found.grant.scopes.includes('offline'));
  }

  /** Undefined for a refresh token that is not the latest of its grant. @param offline true to issue another one */
  refresh(refreshToken: string, offline: boolean): TokenPair | undefined {
    const grant = this.grants.find((one) => one.alive && one.refreshToken === refreshToken);
    return grant && this.issue(grant, offline);
  }

  /** Returns the grant of an access token. */
  opened(accessToken: string): Grant | undefined {
    const grant = this.grants.find((one) => one.alive && one.accessToken === accessToken);
    return grant && grant.accessEndsMs > this.clock.nowMs() ? grant : undefined;
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
