import { randomBytes, randomUUID } from 'node:crypto';
import { MS_PER_DAY } from '@healthd/model';
import type { DeveloperResponse, InvitationResponse } from '@healthd/schemas';
import { Op, type Transaction } from 'sequelize';
import { Failure } from '../platform/failures.js';
import type { SealedField, Vault } from '../vault/index.js';
import { developerResponse, rejectTaken } from './developers.js';
import { normalizeLoginName } from './login-name.js';
import type { AccountModels, DeveloperInvitation } from './models.js';
import { hashNewPassword } from './passwords.js';
import { hashSecret } from './secrets.js';

export interface DeveloperInvitationsOptions {
  models: AccountModels;
  vault: Vault;
  /** Lifetime of an invitation in days. */
  expireDays: number;
  minPasswordLength: number;
}

/** Input of the invited developer. */
export interface Acceptance {
  token: string;
  firstName: string;
  lastName: string;
  password: string;
}

const RETENTION_DAYS = 30;

const LOCK_EMAIL = `select pg_advisory_xact_lock(hashtextextended('healthd/invitation/' || $1, 0))`;
/**
 * Invitations by a link that a developer passes on; the service sends no mail. The token is stored hashed and
 * encrypted.
 */
export class DeveloperInvitations {
  constructor(private readonly options: DeveloperInvitationsOptions) {}

  /** @throws Failure `bad_request` if a developer or an open invitation has this email */
  async create(email: string, invitedBy: string): Promise<InvitationResponse> {
    const id = randomUUID();
    const createdAt = new Date();
    return this.#sequelize.transaction(async (transaction) => {
      await this.#requireFree(email, id, transaction);
      const fields = { id, email, loginName: normalizeLoginName(email), status: 'pending' as const };
      const row = await this.#model.create(
        // Computes the expiry from the stored creation time, so that an invitation is valid for whole days.
        { ...fields, ...this.#newToken(id, createdAt), createdAt, invitedById: invitedBy },
        { transaction },
      );
      return this.#answer(row);
    });
  }

  /** Returns open and expired invitations, newest first. */
  async list(): Promise<InvitationResponse[]> {
    const order: [string, string][] = [
      ['createdAt', 'desc'],
      ['id', 'asc'],
    ];
    return (await this.#model.findAll({ where: { status: 'pending' }, order })).map((row) => this.#answer(row));
  }

  /**
   * Renews an invitation's token and expiry; the old token becomes invalid. @throws Failure `not_found`, `bad_request`
   */
  async resend(id: string): Promise<InvitationResponse> {
    return this.#sequelize.transaction(async (transaction) => {
      const { email } = await this.#one(id, transaction);
      await this.#requireFree(email, id, transaction);
      const row = await this.#one(id, transaction);
      if (row.status !== 'pending')
        throw new Failure('bad_request', `Cannot resend an invitation that is ${row.status}.`);
      return this.#answer(await row.update(this.#newToken(id, new Date()), { transaction }));
    });
  }

  /** @throws Failure `not_found`, `bad_request` */
  async revoke(id: string): Promise<InvitationResponse> {
    return this.#sequelize.transaction(async (transaction) => {
      const row = await this.#one(id, transaction);
      if (row.status !== 'pending')
        throw new Failure('bad_request', `Cannot revoke an invitation that is ${row.status}.`);
      return this.#answer(await row.update({ status: 'revoked' }, { transaction }));
    });
  }

  /**
   * @throws Failure `not_found`, `bad_request` for a used, revoked or expired invitation, `conflict`, `unprocessable`
   */
  async accept({ token, firstName, lastName, password }: Acceptance): Promise<DeveloperResponse> {
    const { models, minPasswordLength: minLength } = this.options;
    const tokenHash = hashSecret(token);
    const { email } = await this.#requireOpen(tokenHash);
    const passwordHash = await hashNewPassword(password, { minLength, email, field: 'password' });
    return this.#sequelize.transaction(async (transaction) => {
      // Locks the invitation, so that only one of several concurrent calls creates an account.
      const row = await this.#requireOpen(tokenHash, transaction);
      await row.update({ status: 'accepted' }, { transaction });
      const names = { firstName, lastName, email: row.email, loginName: row.loginName };
      const fields = { id: randomUUID(), ...names, passwordHash };
      return developerResponse(await rejectTaken(() => models.developers.create(fields, { transaction })));
    });
  }

  /** Deletes invitations that ended a month ago. */
  async purge(): Promise<number> {
    const expiresAt = { [Op.lt]: new Date(Date.now() - RETENTION_DAYS * MS_PER_DAY) };
    return this.#model.destroy({ where: { expiresAt } });
  }

  get #model(): typeof DeveloperInvitation {
    return this.options.models.invitations;
  }

  get #sequelize() {
    return this.#model.sequelize!;
  }

  #newToken(id: string, from: Date) {
    const token = randomBytes(32).toString('base64url');
    return {
      tokenHash: hashSecret(token),
      tokenSealed: this.options.vault.seal(tokenField(id), token),
      expiresAt: new Date(from.getTime() + this.options.expireDays * MS_PER_DAY),
    };
  }

  /**
   * Locks the email until the transaction ends, so that concurrent calls cannot invite it twice. @throws Failure
   * `bad_request` if a developer or an open invitation other than `id` has this email
   */
  async #requireFree(email: string, id: string, transaction: Transaction): Promise<void> {
    const loginName = normalizeLoginName(email);
    await this.#sequelize.query(LOCK_EMAIL, { bind: [loginName], transaction });
    if ((await this.options.models.developers.count({ where: { loginName }, transaction })) > 0) {
      throw new Failure('bad_request', 'A developer with this email already exists.');
    }
    const open = { loginName, status: 'pending', expiresAt: { [Op.gt]: new Date() }, id: { [Op.ne]: id } };
    if ((await this.#model.count({ where: open, transaction })) > 0) {
      throw new Failure(
        'bad_request',
        'An open invitation for this email already exists. Resend it, or revoke it first.',
      );
    }
  }

  async #requireOpen(tokenHash: Buffer, transaction?: Transaction): Promise<DeveloperInvitation> {
    const row = await this.#model.findOne({ where: { tokenHash }, ...(transaction && { lock: true, transaction }) });
    if (!row) throw new Failure('not_found', 'Invitation not found');
    const state = stateOf(row);
    if (state === 'expired') throw new Failure('bad_request', 'Invitation has expired');
    if (state !== 'pending') throw new Failure('bad_request', `Invitation is ${state}`);
    return row;
  }

  /** Returns the invitation, locked until the transaction ends. @throws Failure `not_found` */
  async #one(id: string, transaction: Transaction): Promise<DeveloperInvitation> {
    const row = await this.#model.findByPk(id, { lock: true, transaction });
    if (!row) throw new Failure('not_found', 'Invitation not found');
    return row;
  }

  #answer(row: DeveloperInvitation): InvitationResponse {
    return invitationResponse(row, this.options.vault);
  }
}

/** Returns the status of an invitation. `expired` is computed from the clock and never stored. */
function stateOf({ status, expiresAt }: DeveloperInvitation): InvitationResponse['status'] {
  return status === 'pending' && expiresAt.getTime() <= Date.now() ? 'expired' : status;
}

function tokenField(invitationId: string): SealedField {
  return { table: 'developer_invitation', column: 'token_sealed', row: invitationId };
}

function invitationResponse(row: DeveloperInvitation, vault: Vault): InvitationResponse {
  return {
    id: row.id,
    email: row.email,
    token: vault.open(tokenField(row.id), row.tokenSealed) ?? null,
    status: stateOf(row),
    expires_at: row.expiresAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    invited_by_id: row.invitedById,
  };
}
