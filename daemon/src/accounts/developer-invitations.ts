import { randomBytes, randomUUID } from 'node:crypto';
import type { DeveloperResponse, InvitationResponse } from '@healthd/schemas';
import type pg from 'pg';
import { inTransaction } from '../platform/database/index.js';
import { Failure } from '../platform/failures.js';
import type { Vault } from '../vault/index.js';
import { developerResponse } from './developers.js';
import { INVITATION_COLUMNS, type InvitationRow, invitationResponse, tokenField } from './invitation-rows.js';
import { normalizeLoginName } from './login-name.js';
import type { AccountModels } from './models.js';
import { hashNewPassword } from './passwords.js';
import { hashSecret } from './secrets.js';

export interface DeveloperInvitationsOptions {
  pool: pg.Pool;
  models: AccountModels;
  vault: Vault;
  /** Days until an invitation ends. */
  expireDays: number;
  minPasswordLength: number;
}

/** What the invited person says of themselves. */
export interface Acceptance {
  token: string;
  firstName: string;
  lastName: string;
  password: string;
}

const LOCK_EMAIL = `select pg_advisory_xact_lock(hashtextextended('healthd/invitation/' || $1, 0))`;
const DEVELOPER_EXISTS = 'select 1 from developer where login_name = $1';
const OPEN_EXISTS = `
select 1 from developer_invitation
where login_name = $1 and status = 'pending' and expires_at > now() and id <> $2`;

const CREATE = `
insert into developer_invitation (id, email, login_name, token_hash, token_sealed, status, invited_by_id, expires_at)
values ($1, $2, $3, $4, $5, 'pending', $6, now() + make_interval(days => $7)) returning ${INVITATION_COLUMNS}`;

const RENEW = `
update developer_invitation set token_hash = $2, token_sealed = $3, expires_at = now() + make_interval(days => $4)
where id = $1 and status = 'pending' returning ${INVITATION_COLUMNS}`;

const REVOKE = `
update developer_invitation set status = 'revoked' where id = $1 and status = 'pending' returning ${INVITATION_COLUMNS}`;

// Uses the invitation up and makes the account in one statement: of many that accept at once exactly one does.
const ACCEPT = `
with used as (
  update developer_invitation set status = 'accepted'
  where token_hash = $1 and status = 'pending' and expires_at > now() returning email, login_name
)
insert into developer (id, email, login_name, first_name, last_name, password_hash)
select $2, email, login_name, $3, $4, $5 from used
returning id`;

/** Invitations by a link that somebody hands over; no mail is sent. The token is hashed to be found and sealed to be shown. */
export class DeveloperInvitations {
  constructor(private readonly options: DeveloperInvitationsOptions) {}

  /** @throws Failure `bad_request` when a developer or an open invitation has this email */
  async create(email: string, invitedBy: string): Promise<InvitationResponse> {
    const id = randomUUID();
    const { hash, sealed } = this.#newToken(id);
    return inTransaction(this.options.pool, async (client) => {
      await this.#requireFree(client, email, id);
      const values = [id, email, normalizeLoginName(email), hash, sealed, invitedBy, this.options.expireDays];
      return this.#answer((await client.query<InvitationRow>(CREATE, values)).rows[0]!);
    });
  }

  /** Those that are open or expired, newest first. */
  async list(): Promise<InvitationResponse[]> {
    const { rows } = await this.options.pool.query<InvitationRow>(
      `select ${INVITATION_COLUMNS} from developer_invitation where status = 'pending' order by created_at desc, id`,
    );
    return rows.map((row) => this.#answer(row));
  }

  /** A new token and a new end; the old token is dead. @throws Failure `not_found`, `bad_request` */
  async resend(id: string): Promise<InvitationResponse> {
    const { hash, sealed } = this.#newToken(id);
    return inTransaction(this.options.pool, async (client) => {
      const known = await this.#one(client, id);
      await this.#requireFree(client, known.email, id);
      const { rows } = await client.query<InvitationRow>(RENEW, [id, hash, sealed, this.options.expireDays]);
      if (!rows[0]) throw new Failure('bad_request', `An invitation that is ${known.status} cannot be sent again.`);
      return this.#answer(rows[0]);
    });
  }

  /** @throws Failure `not_found`, `bad_request` */
  async revoke(id: string): Promise<InvitationResponse> {
    const { rows } = await this.options.pool.query<InvitationRow>(REVOKE, [id]);
    if (rows[0]) return this.#answer(rows[0]);
    const { status } = await this.#one(this.options.pool, id);
    throw new Failure('bad_request', `An invitation that is ${status} cannot be revoked.`);
  }

  /** @throws Failure `not_found`, `bad_request` when it is used, revoked or expired, `conflict`, `unprocessable` */
  async accept({ token, firstName, lastName, password }: Acceptance): Promise<DeveloperResponse> {
    const { pool, models, minPasswordLength: minLength } = this.options;
    const hash = hashSecret(token);
    const { email } = await this.#requireOpen(hash);
    const passwordHash = await hashNewPassword(password, { minLength, email, field: 'password' });
    const values = [hash, randomUUID(), firstName, lastName, passwordHash];
    const accepted = await rejectTaken(pool.query<{ id: string }>(ACCEPT, values));
    const id = accepted.rows[0]?.id;
    const developer = id === undefined ? null : await models.developers.findByPk(id);
    if (developer) return developerResponse(developer);
    await this.#requireOpen(hash);
    throw new Failure('not_found', 'Invitation not found');
  }

  /** Deletes invitations that ended a month ago. */
  async purge(): Promise<number> {
    const { rowCount } = await this.options.pool.query(
      "delete from developer_invitation where expires_at < now() - interval '30 days'",
    );
    return rowCount ?? 0;
  }

  #newToken(id: string): { hash: Buffer; sealed: string } {
    const token = randomBytes(32).toString('base64url');
    return { hash: hashSecret(token), sealed: this.options.vault.seal(tokenField(id), token) };
  }

  /** Lets one invitation of an email be made at a time. */
  async #requireFree(client: pg.PoolClient, email: string, id: string): Promise<void> {
    const loginName = normalizeLoginName(email);
    await client.query(LOCK_EMAIL, [loginName]);
    if ((await client.query(DEVELOPER_EXISTS, [loginName])).rowCount !== 0) {
      throw new Failure('bad_request', 'A developer with this email exists.');
    }
    if ((await client.query(OPEN_EXISTS, [loginName, id])).rowCount !== 0) {
      throw new Failure('bad_request', 'An open invitation for this email exists.');
    }
  }

  async #requireOpen(hash: Buffer): Promise<InvitationRow> {
    const { rows } = await this.options.pool.query<InvitationRow>(
      `select ${INVITATION_COLUMNS} from developer_invitation where token_hash = $1`,
      [hash],
    );
    const row = rows[0];
    if (!row) throw new Failure('not_found', 'Invitation not found');
    if (row.status === 'expired') throw new Failure('bad_request', 'Invitation has expired');
    if (row.status !== 'pending') throw new Failure('bad_request', `Invitation is ${row.status}`);
    return row;
  }

  async #one(database: Pick<pg.Pool | pg.PoolClient, 'query'>, id: string): Promise<InvitationRow> {
    const { rows } = await database.query<InvitationRow>(
      `select ${INVITATION_COLUMNS} from developer_invitation where id = $1`,
      [id],
    );
    if (!rows[0]) throw new Failure('not_found', 'Invitation not found');
    return rows[0];
  }

  #answer(row: InvitationRow): InvitationResponse {
    return invitationResponse(row, this.options.vault);
  }
}

const UNIQUE_VIOLATION = '23505';

async function rejectTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    throw new Failure('conflict', 'A developer with this email exists.');
  }
}
