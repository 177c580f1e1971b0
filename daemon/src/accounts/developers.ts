import { randomUUID } from 'node:crypto';
import type { DeveloperResponse, ProfileFields } from '@healthd/schemas';
import { type Transaction, UniqueConstraintError } from 'sequelize';
import { statementsWithin } from '../platform/database/index.js';
import { Failure, unprocessable } from '../platform/failures.js';
import type { LoginAttempt, LoginLocks } from './login-locks.js';
import { normalizeLoginName } from './login-name.js';
import { type AccountModels, type Developer, findByLoginName } from './models.js';
import { generatePassword, hashNewPassword, passwordMatches } from './passwords.js';
import type { RefreshTokens } from './refresh-tokens.js';

export interface DevelopersOptions {
  models: AccountModels;
  refreshTokens: RefreshTokens;
  locks: LoginLocks;
  /** Minimum length of a new password. */
  minPasswordLength: number;
}

/** Input of {@link Developers.changePassword}. */
export interface PasswordChange {
  developerId: string;
  /** The caller's IP address. */
  address: string | undefined;
  /** Session to keep. */
  sessionId: string;
  currentPassword: string;
  newPassword: string;
}

/**
 * Developer accounts of this service. All have equal permissions, but only developers themselves can change their email
 * and password.
 */
export class Developers {
  constructor(private readonly options: DevelopersOptions) {}

  async exist(transaction?: Transaction): Promise<boolean> {
    return (await this.options.models.developers.findOne({ attributes: ['id'], transaction })) !== null;
  }

  /** @throws Failure `unprocessable` for a weak password */
  async create(email: string, password: string, transaction?: Transaction): Promise<DeveloperResponse> {
    const passwordHash = await this.#hash(password, email, 'password');
    const fields = { id: randomUUID(), email, loginName: normalizeLoginName(email), passwordHash };
    const row = await this.options.models.developers.create(fields, { transaction });
    return developerResponse(row);
  }

  /** Returns a random password of the configured length. */
  generatePassword(): string {
    return generatePassword(this.options.minPasswordLength);
  }

  /** Returns all developers, oldest first. */
  async list(): Promise<DeveloperResponse[]> {
    const order: [string, string][] = [
      ['createdAt', 'asc'],
      ['id', 'asc'],
    ];
    return (await this.options.models.developers.findAll({ order })).map(developerResponse);
  }

  /** @throws Failure `not_found` */
  async show(id: string): Promise<DeveloperResponse> {
    return developerResponse(await this.#one(id));
  }

  /**
   * Changes the provided fields; null clears a name.
   * @param by the caller and their IP address: developers can change only their own email, and must confirm with their
   * password
   * @throws Failure `not_found`, `forbidden` for another developer's email, `conflict` for an email that is in use,
   * `unprocessable` without the password, `bad_request` and `too_many_requests` as {@link changePassword}
   */
  async update(
    id: string,
    fields: ProfileFields,
    by: { developerId: string; address: string | undefined },
  ): Promise<DeveloperResponse> {
    const row = await this.#one(id);
    const { first_name, last_name, current_password } = fields;
    const email = fields.email ?? row.email;
    const isOwn = id === by.developerId;
    if (normalizeLoginName(email) !== normalizeLoginName(row.email)) {
      if (!isOwn)
        throw new Failure(
          'forbidden',
          'Cannot change another developer’s email. Developers change their own email, with their password.',
        );
      if (!current_password) {
        throw unprocessable(
          ['body', 'current_password'],
          'Value error, current_password is required to change the email',
        );
      }
      const attempt = { email: row.email, address: by.address };
      await this.#requirePassword(row, current_password, attempt);
      await this.options.locks.succeed(attempt);
    }
    const names = {
      ...(first_name !== undefined && { firstName: first_name }),
      ...(last_name !== undefined && { lastName: last_name }),
    };
    await rejectTaken(() => row.update(isOwn ? { ...names, email, loginName: normalizeLoginName(email) } : names));
    return developerResponse(row);
  }

  /**
   * Deletes a developer and ends their sessions. Keeps everything that they created.
   * @throws Failure `not_found`, `conflict` for the last developer
   */
  async remove(id: string): Promise<DeveloperResponse> {
    const row = await this.#one(id);
    const { models, refreshTokens } = this.options;
    const sequelize = models.developers.sequelize!;
    await sequelize.transaction(async (transaction) => {
      // Deletes the tokens before the account, because a concurrent refresh locks in this order.
      await refreshTokens.deleteDeveloper(id, statementsWithin(sequelize, transaction));
      // Locks all rows, so that the last two developers cannot delete each other concurrently.
      const all = await models.developers.findAll({ attributes: ['id'], order: ['id'], lock: true, transaction });
      const developer = all.find((one) => one.id === id);
      if (!developer) throw unknownDeveloper(id);
      if (all.length === 1)
        throw new Failure('conflict', 'Cannot delete the last developer. Invite another developer first.');
      await developer.destroy({ transaction });
    });
    return developerResponse(row);
  }

  /**
   * Replaces a password and ends all other sessions.
   * @throws Failure `bad_request` if the current password is wrong, `unprocessable` if the new password is weak,
   * `too_many_requests` after many wrong attempts
   */
  async changePassword(change: PasswordChange): Promise<void> {
    const { models, locks } = this.options;
    const row = await models.developers.findByPk(change.developerId);
    if (!row) throw wrongPassword();
    const passwordHash = await this.#hash(change.newPassword, row.email, 'new_password');
    const attempt = { email: row.email, address: change.address };
    const expectedHash = await this.#requirePassword(row, change.currentPassword, attempt);
    const replaced = await this.#replacePassword(change.developerId, { expectedHash, passwordHash }, change.sessionId);
    if (!replaced) throw wrongPassword();
    await locks.succeed(attempt);
  }

  /**
   * Sets a new password and ends all of the developer's sessions.
   * @throws Failure `not_found`
   */
  async resetPassword(email: string, password = this.generatePassword()): Promise<{ email: string; password: string }> {
    const row = await findByLoginName(this.options.models, email);
    if (!row) throw new Failure('not_found', 'No developer has this email. Check its spelling.');
    await this.#replacePassword(row.id, { passwordHash: await this.#hash(password, row.email, 'password') });
    await this.options.locks.reset(row.email);
    return { email: row.email, password };
  }

  #hash(password: string, email: string, field: string): Promise<string> {
    return hashNewPassword(password, { minLength: this.options.minPasswordLength, email, field });
  }

  /**
   * Checks a password. The attempt counts as a failed login until `locks.succeed` is called.
   * @returns the password's hash
   * @throws Failure `bad_request` for a wrong password, `too_many_requests` after many wrong passwords
   */
  async #requirePassword({ passwordHash }: Developer, password: string, attempt: LoginAttempt): Promise<string> {
    await this.options.locks.attempt(attempt);
    if (!(await passwordMatches(password, passwordHash))) throw wrongPassword();
    return passwordHash;
  }

  /**
   * Replaces the password hash and ends all sessions except `except`. Returns false if the password has changed since
   * `expectedHash` was read.
   */
  async #replacePassword(
    id: string,
    { expectedHash, passwordHash }: { expectedHash?: string; passwordHash: string },
    except?: string,
  ): Promise<boolean> {
    const { models, refreshTokens } = this.options;
    const sequelize = models.developers.sequelize!;
    return sequelize.transaction(async (transaction) => {
      // A concurrent login share-locks this row while it opens its session, so the session either ends here or is not
      // opened. A concurrent refresh does not wait for this lock.
      const row = await models.developers.findByPk(id, { lock: transaction.LOCK.NO_KEY_UPDATE, transaction });
      if (!row || (expectedHash !== undefined && row.passwordHash !== expectedHash)) return false;
      await row.update({ passwordHash }, { transaction });
      const database = statementsWithin(sequelize, transaction);
      await refreshTokens.revokeDeveloper(id, { ...(except && { except }), database });
      return true;
    });
  }

  async #one(id: string): Promise<Developer> {
    const row = await this.options.models.developers.findByPk(id);
    if (!row) throw unknownDeveloper(id);
    return row;
  }
}

/** Converts a developer to the API form. */
export function developerResponse(row: Developer): DeveloperResponse {
  return {
    id: row.id,
    first_name: row.firstName ?? null,
    last_name: row.lastName ?? null,
    email: row.email,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Converts a database error for a duplicate email to a failure. @throws Failure `conflict` */
export async function rejectTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    // Omits the driver's error as the cause, because causes are logged and this error quotes the email.
    throw new Failure('conflict', 'A developer with this email already exists.');
  }
}

function wrongPassword(): Failure {
  return new Failure('bad_request', 'Incorrect current password');
}

function unknownDeveloper(id: string): Failure {
  return new Failure('not_found', `Developer with ID: ${id} not found.`);
}
