import { createHash, randomBytes } from 'node:crypto';
import { MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { SimulatorClock } from '../clock.js';

const CODE_LIFE_MS = 10 * MS_PER_MINUTE;

/** What one account has allowed the client. */
export interface Grant {
  account: string;
  scopes: readonly string[];
  alive: boolean;
  accessToken?: string;
  accessEndsMs: number;
  /** The only one that works. */
  refreshToken?: string;
}

export interface GrantRules {
  /** Life of access tokens. */
  accessSeconds: number;
  /** Whether there are refresh tokens; each ends with its use. */
  refreshes: boolean;
  /** A renewal gives the same access token again while it has longer to live than this. Default: a new one always. */
  keepsAccessAboveSeconds?: number;
  /** The text of an access token, another one each time; default one that says nothing. */
  accessToken?(account: string): string;
}

/** A code with what must come back with it. */
interface Code {
  grant: Grant;
  redirectUri: string;
  challenge: string | undefined;
  endsMs: number;
}

/** Codes and tokens that were given out. */
export class Grants {
  private readonly codes = new Map<string, Code>();
  private grants: Grant[] = [];

  constructor(
    private readonly clock: SimulatorClock,
    private readonly rules: GrantRules,
  ) {}

  /** A code, good for one use, for what the person allowed. @param challenge of PKCE, method S256 */
  consent(account: string, scopes: readonly string[], redirectUri: string, challenge?: string): string {
    const code = randomBytes(24).toString('base64url');
    const grant: Grant = { account, scopes, alive: true, accessEndsMs: 0 };
    this.codes.set(code, { grant, redirectUri, challenge, endsMs: this.clock.nowMs() + CODE_LIFE_MS });
    return code;
  }

  /** Undefined for a code that is unknown, used, too old, of another address or without its verifier. */
  exchange(code: string, redirectUri: string | null, verifier: string | null): Grant | undefined {
    const found = this.codes.get(code);
    this.codes.delete(code);
    if (!found || found.endsMs <= this.clock.nowMs()) return undefined;
    if (redirectUri !== null && redirectUri !== found.redirectUri) return undefined;
    const hash = createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url');
    if (found.challenge !== undefined && found.challenge !== hash) return undefined;
    this.grants.push(found.grant);
    return this.issue(found.grant);
  }

  /** Undefined for a refresh token that is not the newest of its grant. */
  refresh(refreshToken: string): Grant | undefined {
    const grant = this.grants.find((one) => one.alive && one.refreshToken === refreshToken);
    const leftMs = (grant?.accessEndsMs ?? 0) - this.clock.nowMs();
    const { keepsAccessAboveSeconds } = this.rules;
    if (keepsAccessAboveSeconds !== undefined && leftMs > keepsAccessAboveSeconds * MS_PER_SECOND) return grant;
    return grant && this.issue(grant);
  }

  /** What an access token opens. */
  opened(accessToken: string): Grant | undefined {
    const grant = this.grants.find((one) => one.alive && one.accessToken === accessToken);
    return grant && grant.accessEndsMs > this.clock.nowMs() ? grant : undefined;
  }

  /** The grant of either token, alive or not. */
  ofToken(token: string): Grant | undefined {
    return this.grants.find((one) => one.refreshToken === token || one.accessToken === token);
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

  /** Whole seconds that an access token has to live. */
  secondsLeft({ accessEndsMs }: Grant): number {
    return Math.max(0, Math.round((accessEndsMs - this.clock.nowMs()) / MS_PER_SECOND));
  }

  clear(): void {
    this.codes.clear();
    this.grants = [];
  }

  private issue(grant: Grant): Grant {
    grant.accessToken = this.rules.accessToken?.(grant.account) ?? `at-${randomBytes(30).toString('base64url')}`;
    grant.accessEndsMs = this.clock.nowMs() + this.rules.accessSeconds * MS_PER_SECOND;
    grant.refreshToken = this.rules.refreshes ? `rt-${randomBytes(30).toString('base64url')}` : undefined;
    return grant;
  }
}
