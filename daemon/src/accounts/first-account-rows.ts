import type { Transaction } from 'sequelize';
import { statementsWithin } from '../platform/database/index.js';
import type { ApiKeys } from './api-keys.js';
import type { Developers } from './developers.js';
import type { AccountModels } from './models.js';
import type { RefreshTokens } from './refresh-tokens.js';

/** Rows of the first account: the developer, the API key, and a mark that they have not been shown yet. */
export class FirstAccountRows {
  constructor(
    private readonly parts: {
      models: AccountModels;
      developers: Developers;
      apiKeys: ApiKeys;
      refreshTokens: RefreshTokens;
    },
  ) {}

  /**
   * Creates all rows or none, and replaces rows that were neither shown nor used. Returns undefined if another account
   * exists.
   */
  async make(email: string, password: string): Promise<{ developerId: string; apiKey: string } | undefined> {
    const { models, developers, apiKeys } = this.parts;
    return models.developers.sequelize!.transaction(async (transaction) => {
      await this.#removeUnused(transaction);
      await models.unshownFirstAccounts.destroy({ where: {}, transaction });
      if (await developers.exist(transaction)) return undefined;
      const developer = await developers.create(email, password, transaction);
      const { id, key } = await apiKeys.create({ name: 'First key' }, developer.id, transaction);
      await models.unshownFirstAccounts.create({ developerId: developer.id, apiKeyId: id }, { transaction });
      return { developerId: developer.id, apiKey: key };
    });
  }

  async markShown(): Promise<void> {
    await this.parts.models.unshownFirstAccounts.destroy({ where: {} });
  }

  /**
   * Deletes first accounts that were neither shown nor used. A key was used if it has a time of last use. An account
   * was used if it was changed or has more than one refresh token.
   */
  async #removeUnused(transaction: Transaction): Promise<void> {
    const { models, refreshTokens } = this.parts;
    const sequelize = models.developers.sequelize!;
    const unshown = await models.unshownFirstAccounts.findAll({ include: ['developer', 'apiKey'], transaction });
    for (const { developer, apiKey } of unshown) {
      if (!developer || !apiKey || apiKey.lastUsedAt !== null) continue;
      if (developer.updatedAt.getTime() !== developer.createdAt.getTime()) continue;
      if ((await refreshTokens.countOfDeveloper(developer.id)) > 1) continue;
      await refreshTokens.deleteDeveloper(developer.id, statementsWithin(sequelize, transaction));
      await apiKey.destroy({ transaction });
      await developer.destroy({ transaction });
    }
  }
}
