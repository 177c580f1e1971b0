import { randomUUID } from 'node:crypto';
import type { DeveloperAnswer, ProfileFields } from '@healthd/api';
import type pg from 'pg';
import { UniqueConstraintError } from 'sequelize';
import { inTransaction } from '../database/index.js';
import { Failure } from '../failures.js';
import type { LoginLocks } from './login-locks.js';
import type { AccountModels, Developer } from './models.js';
import { generatePassword, hashPassword, passwordMatches, requireLength } from './passwords.js';
import type { RefreshTokens } from './refresh-tokens.js';

export interface DevelopersOptions {
  pool: pg.Pool;
  models: AccountModels;
  refreshTokens: RefreshTokens;
  locks: LoginLocks;
  /** Characters of a new password at least. */
  minPasswordLength: number;
}

/** Who changes a password, and in which session. */
export interface PasswordChange {
  developerId: string;
  email: string;
  /** The session that goes on. */
  sessionId: string;
  currentPassword: string;
  newPassword: string;
}

/** The developers of this instance; all of them are equal, but an email and a password are changed by their owner only. */
export class Developers {
  constructor(private readonly options: DevelopersOptions) {}

  async exist(): Promise<boolean> {
    return (await this.options.models.developers.findOne({ attributes: ['id'] })) !== null;
  }

  async create(email: string, password: string): Promise<DeveloperAnswer> {
    const passwordHash = await hashPassword(password);
    return developerAnswer(await this.options.models.developers.create({ id: randomUUID(), email, passwordHash }));
  }

  /** Oldest first. */
  async list(): Promise<DeveloperAnswer[]> {
    const order: [string, string][] = [
      ['createdAt', 'asc'],
      ['id', 'asc'],
    ];
    return (await this.options.models.developers.findAll({ order })).map(developerAnswer);
  }

  /** @throws Failure `not_found` */
  async show(id: string): Promise<DeveloperAnswer> {
    return developerAnswer(await this.#one(id));
  }

  /**
   * Changes the fields that are there; null clears a name.
   * @param by who asks: the email of another stays as it is
   * @throws Failure `not_found`, `forbidden` for the email of another, `conflict` for an email that is taken
   */
  async update(id: string, fields: ProfileFields, by: string): Promise<DeveloperAnswer> {
    const row = await this.#one(id);
    const { first_name, last_name } = fields;
    const email = fields.email ?? row.email;
    if (id !== by && email.toLowerCase() !== row.email.toLowerCase()) {
      throw new Failure('forbidden', 'The email of another developer cannot be changed.');
    }
    const names = {
      ...(first_name !== undefined && { firstName: first_name }),
      ...(last_name !== undefined && { lastName: last_name }),
    };
    await unlessTaken(() => row.update(id === by ? { ...names, email } : names));
    return developerAnswer(row);
  }

  /**
   * Deletes a developer and ends their sessions; what they made stays.
   * @throws Failure `not_found`, `conflict` for the last one
   */
  async remove(id: string): Promise<DeveloperAnswer> {
    const row = await this.#one(id);
    await inTransaction(this.options.pool, async (client) => {
      // Before the account: a refresh that is under way holds its token and then wants the account, in this order.
      await client.query('delete from refresh_token where developer_id = $1', [id]);
      // All rows, so that two developers cannot delete each other at once and leave nobody.
      const all = await client.query<{ id: string }>('select id from developer order by id for update');
      if (!all.rows.some((developer) => developer.id === id)) throw unknownDeveloper(id);
      if (all.rows.length === 1) throw new Failure('conflict', 'The last developer cannot be deleted.');
      await client.query('delete from developer where id = $1', [id]);
    });
    return developerAnswer(row);
  }

  /**
   * Replaces a password and ends all other sessions.
   * @throws Failure `bad_request` when the current password is wrong, `unprocessable` when the new one is too short,
   * `too_many_requests` after many wrong ones
   */
  async changePassword(change: PasswordChange): Promise<void> {
    const { models, locks, minPasswordLength } = this.options;
    requireLength(change.newPassword, minPasswordLength, 'new_password');
    await locks.attempt(change.email);
    const row = await models.developers.findByPk(change.developerId);
    const matches = await passwordMatches(change.currentPassword, row?.passwordHash);
    const replaced =
      row && matches && (await this.#replacePassword(row.id, row.passwordHash, change.newPassword, change.sessionId));
    if (!replaced) throw new Failure('bad_request', 'Incorrect current password');
    await locks.succeed(change.email);
  }

  /**
   * Gives the developer a new password and ends all their sessions.
   * @throws Failure `not_found`
   */
  async resetPassword(email: string, password = generatePassword()): Promise<{ email: string; password: string }> {
    const { developers } = this.options.models;
    const sequelize = developers.sequelize!;
    const where = sequelize.where(sequelize.fn('lower', sequelize.col('email')), email.toLowerCase());
    const row = await developers.findOne({ where });
    if (!row) throw new Failure('not_found', 'There is no developer with this email.');
    await this.#replacePassword(row.id, undefined, password, undefined);
    await this.options.locks.succeed(row.email);
    return { email: row.email, password };
  }

  /** False when the password is no longer the one behind `expectedHash`. */
  async #replacePassword(
    id: string,
    expectedHash: string | undefined,
    password: string,
    except: string | undefined,
  ): Promise<boolean> {
    const passwordHash = await hashPassword(password);
    return inTransaction(this.options.pool, async (client) => {
      // A login that is under way shares the row while it opens its session: the session either ends here or is not
      // opened. A refresh, which holds a token and refers to the row, does not wait for this lock.
      const { rows } = await client.query<{ password_hash: string }>(
        'select password_hash from developer where id = $1 for no key update',
        [id],
      );
      if (!rows[0] || (expectedHash !== undefined && rows[0].password_hash !== expectedHash)) return false;
      await client.query('update developer set password_hash = $2, updated_at = now() where id = $1', [
        id,
        passwordHash,
      ]);
      await this.options.refreshTokens.revokeDeveloper(id, { ...(except && { except }), database: client });
      return true;
    });
  }

  async #one(id: string): Promise<Developer> {
    const row = await this.options.models.developers.findByPk(id);
    if (!row) throw unknownDeveloper(id);
    return row;
  }
}

/** A developer as the API shows them. */
export function developerAnswer(row: Developer): DeveloperAnswer {
  return {
    id: row.id,
    first_name: row.firstName ?? null,
    last_name: row.lastName ?? null,
    email: row.email,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Turns the database's refusal of a second account with one email into a failure. @throws Failure `conflict` */
async function unlessTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    // The driver's error quotes the address, so it does not become the cause: causes are logged.
    throw new Failure('conflict', 'A developer with this email exists.');
  }
}

function unknownDeveloper(id: string): Failure {
  return new Failure('not_found', `Developer with ID: ${id} not found.`);
}
