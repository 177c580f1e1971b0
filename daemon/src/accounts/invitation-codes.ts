import { createHmac, randomInt, randomUUID } from 'node:crypto';
import type { InvitationCodeResponse, UserTokens } from '@healthd/schemas';
import type pg from 'pg';
import { inTransaction, lockUserIfExists } from '../platform/database/index.js';
import { Failure } from '../platform/failures.js';
import type { RefreshTokens } from './refresh-tokens.js';
import type { Sessions } from './sessions.js';
import { deriveKey } from './signing-keys.js';

export interface InvitationCodesOptions {
  pool: pg.Pool;
  signingKey: Uint8Array;
  /** Lifetime of a code in days. */
  expireDays: number;
  refreshTokens: RefreshTokens;
  sessions: Sessions;
}

/** Characters of a code: no I, O, 0 or 1, because these are easily confused. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

const CREATE = `
insert into user_invitation_code (id, user_id, code_hash, created_by, expires_at)
values ($1, $2, $3, $4, now() + make_interval(days => $5))
returning created_at, expires_at`;

const REVOKE_EARLIER = `
update user_invitation_code set revoked_at = now()
where user_id = $1 and redeemed_at is null and revoked_at is null`;

// Locks the user first, in the same order as an erasure.
const LOCK_USER = `
select 1 from health_user u where u.id = (select c.user_id from user_invitation_code c where c.code_hash = $1)
for key share`;

// One statement consumes a code, so exactly one of several concurrent calls succeeds.
const USE = `
update user_invitation_code set redeemed_at = now()
where code_hash = $1 and redeemed_at is null and revoked_at is null and expires_at > now()
returning user_id, created_by`;

/** Codes that a user types into an app: single use, short-lived, stored only as a keyed hash. */
export class InvitationCodes {
  readonly #key: Uint8Array;

  constructor(private readonly options: InvitationCodesOptions) {
    this.#key = deriveKey(options.signingKey, 'invitation-code');
  }

  /** Invalidates the user's earlier codes. @throws Failure `not_found` if the user was deleted */
  async create(userId: string, developerId: string): Promise<InvitationCodeResponse> {
    const { pool, expireDays } = this.options;
    const id = randomUUID();
    const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return inTransaction(pool, async (client) => {
      // Locks the user, so that concurrent calls leave only one valid code.
      if (!(await lockUserIfExists(client, { id: userId })))
        throw new Failure('not_found', `User with ID: ${userId} not found.`);
      await client.query(REVOKE_EARLIER, [userId]);
      const { rows } = await client.query<{ created_at: Date; expires_at: Date }>(CREATE, [
        id,
        userId,
        this.#hash(code),
        developerId,
        expireDays,
      ]);
      const row = rows[0]!;
      return {
        id,
        code,
        user_id: userId,
        expires_at: row.expires_at.toISOString(),
        created_at: row.created_at.toISOString(),
      };
    });
  }

  /**
   * Consumes a code and opens a session for the user's device. `appId` identifies the issuer.
   * @throws Failure `not_found`, with the same message for an unknown, used, revoked or expired code
   */
  async redeem(code: string): Promise<{ tokens: UserTokens; appId: string }> {
    const { pool, refreshTokens, sessions } = this.options;
    const hash = this.#hash(code);
    const opened = await inTransaction(pool, async (client) => {
      await client.query(LOCK_USER, [hash]);
      const { rows } = await client.query<{ user_id: string; created_by: string | null }>(USE, [hash]);
      const row = rows[0];
      if (!row) return undefined;
      const appId = `invite:${row.created_by ?? 'deleted'}`;
      const owner = { kind: 'sdk', userId: row.user_id, appId } as const;
      const issued = await refreshTokens.issue(owner, { database: client });
      return issued && { issued, ...owner };
    });
    if (!opened) throw new Failure('not_found', 'Invalid or expired invitation code');
    const tokens = { ...(await sessions.tokens(opened.issued)), user_id: opened.userId };
    return { tokens, appId: opened.appId };
  }

  /** Deletes codes that ended a month ago. */
  async purge(): Promise<number> {
    const { rowCount } = await this.options.pool.query(
      "delete from user_invitation_code where expires_at < now() - interval '30 days'",
    );
    return rowCount ?? 0;
  }

  // Hashes with a key. Otherwise an attacker with a stolen table could try all codes of eight characters.
  #hash(code: string): Buffer {
    return createHmac('sha256', this.#key).update(code).digest();
  }
}
