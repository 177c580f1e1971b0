import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { ApplicationResponse, ApplicationWithSecret } from '@healthd/schemas';
import { Op } from 'sequelize';
import { statementsWithin } from '../platform/database/index.js';
import { Failure } from '../platform/failures.js';
import type { AccountModels, Application } from './models.js';
import type { RefreshTokens } from './refresh-tokens.js';
import { hashSecret, newSecret } from './secrets.js';

const SECRET_PREFIX = 'secret_';
const APP_ID = /^app_[0-9a-f]{32}$/;

/**
 * Applications may obtain tokens for users. An application belongs to its creator, and to all developers once the
 * creator is deleted.
 */
export class Applications {
  constructor(
    private readonly models: AccountModels,
    private readonly refreshTokens: RefreshTokens,
  ) {}

  async create(name: string, developerId: string): Promise<ApplicationWithSecret> {
    const secret = newSecret(SECRET_PREFIX);
    const row = await this.models.applications.create({
      id: randomUUID(),
      appId: `app_${randomBytes(16).toString('hex')}`,
      name,
      secretHash: hashSecret(secret),
      developerId,
    });
    return { ...toResponse(row), app_secret: secret };
  }

  /** Returns the applications that the developer may use, newest first. */
  async list(developerId: string): Promise<ApplicationResponse[]> {
    const order: [string, string][] = [
      ['createdAt', 'desc'],
      ['id', 'asc'],
    ];
    return (await this.models.applications.findAll({ where: ownedBy(developerId), order })).map(toResponse);
  }

  /**
   * Replaces the secret. The old secret is invalid once this resolves.
   * @throws Failure `not_found`
   */
  async rotateSecret(appId: string, developerId: string): Promise<ApplicationWithSecret> {
    const row = await this.#one(appId, developerId);
    const secret = newSecret(SECRET_PREFIX);
    await row.update({ secretHash: hashSecret(secret) });
    return { ...toResponse(row), app_secret: secret };
  }

  /** Deletes the application and ends every session opened through it. @throws Failure `not_found` */
  async remove(appId: string, developerId: string): Promise<void> {
    const row = await this.#one(appId, developerId);
    const sequelize = this.models.applications.sequelize!;
    await sequelize.transaction(async (transaction) => {
      // Deletes the application first. Opening a session locks the application's row, so no session is added later.
      await row.destroy({ transaction });
      await this.refreshTokens.revokeApplication(row.appId, statementsWithin(sequelize, transaction));
    });
  }

  /** True if this is the application's current secret. */
  async verify(appId: string, secret: string): Promise<boolean> {
    const row = APP_ID.test(appId) ? await this.models.applications.findOne({ where: { appId } }) : null;
    return row !== null && timingSafeEqual(row.secretHash, hashSecret(secret));
  }

  async #one(appId: string, developerId: string): Promise<Application> {
    const found = APP_ID.test(appId)
      ? await this.models.applications.findOne({ where: { appId, ...ownedBy(developerId) } })
      : null;
    if (!found) throw new Failure('not_found', 'Application not found');
    return found;
  }
}

function ownedBy(developerId: string) {
  return { developerId: { [Op.or]: [{ [Op.eq]: developerId }, { [Op.is]: null }] } };
}

function toResponse(row: Application): ApplicationResponse {
  return { id: row.id, app_id: row.appId, name: row.name, created_at: row.createdAt.toISOString() };
}
