import { createHmac, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { hashSecret, newSecret } from './secrets.js';
import { deriveKey } from './signing-keys.js';

/** Whose session a refresh token prolongs. */
export type TokenOwner = { kind: 'developer'; developerId: string } | { kind: 'sdk'; userId: string; appId: string };

/** A refresh token just issued; `sessionId` is the family that all its successors belong to. */
export interface IssuedRefreshToken {
  token: string;
  sessionId: string;
  owner: TokenOwner;
}

export interface RefreshLifetimes {
  idleDays: number;
  absoluteDays: number;
  /** How long a replaced token still gets the same successor, for an answer that was lost on the way. */
  graceSeconds: number;
}

const PREFIX = 'rt-';

interface TokenRow {
  family_id: string;
  kind: 'developer' | 'sdk';
  developer_id: string | null;
  user_id: string | null;
  app_id: string | null;
}

const ISSUE = `
insert into refresh_token
  (id, family_id, token_hash, kind, developer_id, user_id, app_id, idle_expires_at, absolute_expires_at)
values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(days => $8), now() + make_interval(days => $9))`;

// One statement replaces a token, so of many that present it at once exactly one does, and a kill in between leaves
// either the old token or the new one.
const ROTATE = `
with replaced as (
  update refresh_token set rotated_at = now()
  where token_hash = $1 and rotated_at is null and revoked_at is null
    and idle_expires_at > now() and absolute_expires_at > now()
  returning family_id, kind, developer_id, user_id, app_id, absolute_expires_at
), successor as (
  insert into refresh_token
    (id, family_id, token_hash, kind, developer_id, user_id, app_id, idle_expires_at, absolute_expires_at)
  select $2, family_id, $3, kind, developer_id, user_id, app_id,
    least(now() + make_interval(days => $4), absolute_expires_at), absolute_expires_at
  from replaced
)
select family_id, kind, developer_id, user_id, app_id from replaced`;

// The successor counts as lost only while nobody has used it.
const LOST_ANSWER = `
select old.family_id, old.kind, old.developer_id, old.user_id, old.app_id
from refresh_token old join refresh_token successor on successor.token_hash = $2
where old.token_hash = $1 and old.revoked_at is null and successor.revoked_at is null
  and successor.rotated_at is null and old.rotated_at > now() - make_interval(secs => $3)`;

const REVOKE_FAMILY_OF_REUSED = `
update refresh_token set revoked_at = now()
where revoked_at is null and family_id = (
  select family_id from refresh_token where token_hash = $1 and rotated_at is not null)`;

/** Refresh tokens: opaque, hashed at rest, replaced at every use; using a replaced one again ends its whole family. */
export class RefreshTokens {
  readonly #successorKey: Uint8Array;

  constructor(
    private readonly pool: pg.Pool,
    signingKey: Uint8Array,
    private readonly lifetimes: RefreshLifetimes,
  ) {
    this.#successorKey = deriveKey(signingKey, 'refresh-successor');
  }

  /** Opens a session. */
  async issue(owner: TokenOwner): Promise<IssuedRefreshToken> {
    const token = newSecret(PREFIX);
    const sessionId = randomUUID();
    const [developerId, userId, appId] =
      owner.kind === 'developer' ? [owner.developerId, null, null] : [null, owner.userId, owner.appId];
    const { idleDays, absoluteDays } = this.lifetimes;
    await this.pool.query(ISSUE, [
      ...[randomUUID(), sessionId, hashSecret(token), owner.kind],
      ...[developerId, userId, appId, idleDays, absoluteDays],
    ]);
    return { token, sessionId, owner };
  }

  /** Replaces a token. Undefined when it is unknown, expired, revoked or was replaced before. */
  async rotate(token: string): Promise<IssuedRefreshToken | undefined> {
    const hash = hashSecret(token);
    const successor = this.#successorOf(token);
    const successorHash = hashSecret(successor);
    const rotated = await this.pool.query<TokenRow>(ROTATE, [
      ...[hash, randomUUID(), successorHash],
      this.lifetimes.idleDays,
    ]);
    const row =
      rotated.rows[0] ??
      (await this.pool.query<TokenRow>(LOST_ANSWER, [hash, successorHash, this.lifetimes.graceSeconds])).rows[0];
    if (row) return { token: successor, sessionId: row.family_id, owner: ownerOf(row) };
    await this.pool.query(REVOKE_FAMILY_OF_REUSED, [hash]);
    return undefined;
  }

  /** Ends a session: its refresh token and, within a second, its access tokens. */
  async revokeSession(sessionId: string): Promise<void> {
    await this.pool.query('update refresh_token set revoked_at = now() where family_id = $1 and revoked_at is null', [
      sessionId,
    ]);
  }

  async revokeDeveloper(developerId: string): Promise<void> {
    await this.pool.query(
      'update refresh_token set revoked_at = now() where developer_id = $1 and revoked_at is null',
      [developerId],
    );
  }

  // Derived and not random: only hashes are stored, and a lost answer must get the same successor once more.
  #successorOf(token: string): string {
    return `${PREFIX}${createHmac('sha256', this.#successorKey).update(token).digest('hex')}`;
  }
}

function ownerOf(row: TokenRow): TokenOwner {
  return row.kind === 'developer'
    ? { kind: 'developer', developerId: String(row.developer_id) }
    : { kind: 'sdk', userId: String(row.user_id), appId: String(row.app_id) };
}
