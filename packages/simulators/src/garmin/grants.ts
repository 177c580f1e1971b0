import { createHash, randomBytes } from 'node:crypto';
import { MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';

const CODE_LIFE_MS = 5 * MS_PER_MINUTE;
const REFRESH_SECONDS = 7_775_998;

/** Grant of one account to the application. */
interface Grant {
  account: string;
  alive: boolean;
  /** The only valid pair: every refresh invalidates the previous one. */
  accessToken?: string;
  accessEndsMs: number;
  refreshToken?: string;
}

interface PendingCode {
  account: string;
  redirectUri: string;
  challenge: string;
  endsMs: number;
}

/** Issued codes and tokens. */
export class Grants {
  private readonly codes = new Map<string, PendingCode>();
  private grants: Grant[] = [];

  constructor(
    private readonly clock: SimulatorClock,
    private readonly accessSeconds: number,
  ) {}

  /** Issues a single-use code for a caller with the challenge's verifier. */
  consent(account: string, redirectUri: string, challenge: string): string {
    const code = randomBytes(24).toString('base64url');
    this.codes.set(code, { account, redirectUri, challenge, endsMs: this.clock.nowMs() + CODE_LIFE_MS });
    return code;
  }

  /** Undefined for a code that is unknown, used, expired, or has another URL or verifier. */
  exchange(code: string, redirectUri: string, verifier: string): { account: string; tokens: object } | undefined {
    const found = this.codes.get(code);
    this.codes.delete(code);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (!found || found.redirectUri !== redirectUri || found.challenge !== challenge) return undefined;
    if (found.endsMs <= this.clock.nowMs()) return undefined;
    const grant: Grant = { account: found.account, alive: true, accessEndsMs: 0 };
    this.grants.push(grant);
    return { account: found.account, tokens: this.issue(grant) };
  }

  /** Undefined for a refresh token that is not the latest of its grant. */
  refresh(refreshToken: string): object | undefined {
    const grant = this.grants.find((one) => one.alive && one.refreshToken === refreshToken);
    return grant && this.issue(grant);
  }

  /** Returns the grant of an access token. */
  opened(accessToken: string): { account: string } | undefined {
    const grant = this.grants.find((one) => one.alive && one.accessToken === accessToken);
    return grant && grant.accessEndsMs > this.clock.nowMs() ? grant : undefined;
  }

  hasLive(account: string): boolean {
    return this.grants.some((grant) => grant.alive && grant.account === account);
  }

  /** Revokes all grants of an account. */
  revoke(account: string): void {
    for (const grant of this.grants) if (grant.account === account) grant.alive = false;
  }

  /** Expires access tokens; refresh tokens stay valid. */
  expireAccess(account?: string): void {
    for (const grant of this.grants) if (account === undefined || grant.account === account) grant.accessEndsMs = 0;
  }

  clear(): void {
    this.codes.clear();
    this.grants = [];
  }

  /** The scope does not contain the user's permissions. */
  private issue(grant: Grant): object {
    grant.accessToken = `at-${randomBytes(30).toString('base64url')}`;
    grant.accessEndsMs = this.clock.nowMs() + this.accessSeconds * MS_PER_SECOND;
    grant.refreshToken = `rt-${randomBytes(30).toString('base64url')}`;
    return {
      access_token: grant.accessToken,
      token_type: 'bearer',
      expires_in: this.accessSeconds,
      refresh_token: grant.refreshToken,
      refresh_token_expires_in: REFRESH_SECONDS,
      scope: 'CONNECT_READ CONNECT_WRITE',
      jti: randomBytes(16).toString('hex'),
    };
  }
}
