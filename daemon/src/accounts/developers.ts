import { randomUUID } from 'node:crypto';
import type { DeveloperAnswer } from '@healthd/api';
import { Failure } from '../failures.js';
import type { AccountModels, Developer } from './models.js';
import { generatePassword, hashPassword } from './passwords.js';
import type { RefreshTokens } from './refresh-tokens.js';

/** The developers of this instance; all of them are equal. */
export class Developers {
  constructor(
    private readonly models: AccountModels,
    private readonly refreshTokens: RefreshTokens,
  ) {}

  async exist(): Promise<boolean> {
    return (await this.models.developers.findOne({ attributes: ['id'] })) !== null;
  }

  async create(email: string, password: string): Promise<DeveloperAnswer> {
    const passwordHash = await hashPassword(password);
    return answerOf(await this.models.developers.create({ id: randomUUID(), email, passwordHash }));
  }

  /** @throws Failure `not_found` */
  async show(id: string): Promise<DeveloperAnswer> {
    const row = await this.models.developers.findByPk(id);
    if (!row) throw new Failure('not_found', `Developer with ID: ${id} not found.`);
    return answerOf(row);
  }

  /**
   * Gives the developer a new password and ends all their sessions.
   * @throws Failure `not_found`
   */
  async resetPassword(email: string, password = generatePassword()): Promise<{ email: string; password: string }> {
    const { developers } = this.models;
    const sequelize = developers.sequelize!;
    const where = sequelize.where(sequelize.fn('lower', sequelize.col('email')), email.toLowerCase());
    const row = await developers.findOne({ where });
    if (!row) throw new Failure('not_found', 'There is no developer with this email.');
    await row.update({ passwordHash: await hashPassword(password) });
    await this.refreshTokens.revokeDeveloper(row.id);
    return { email: row.email, password };
  }
}

function answerOf(row: Developer): DeveloperAnswer {
  return {
    id: row.id,
    first_name: row.firstName ?? null,
    last_name: row.lastName ?? null,
    email: row.email,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
