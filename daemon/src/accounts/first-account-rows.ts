import type { Sequelize } from 'sequelize';
import type { ApiKeys } from './api-keys.js';
import type { Developers } from './developers.js';

// A key shows its first use, an account by the sessions beside the one that it was made with, or by a change.
const REMOVE_UNUSED = `
with unused as (
  select f.developer_id, f.api_key_id
  from unshown_first_account f join developer d on d.id = f.developer_id join api_key k on k.id = f.api_key_id
  where k.last_used_at is null and d.updated_at = d.created_at
    and (select count(*) from refresh_token t where t.developer_id = f.developer_id) <= 1
), ended as (
  delete from refresh_token where developer_id in (select developer_id from unused)
), revoked as (
  delete from api_key where id in (select api_key_id from unused)
)
delete from developer where id in (select developer_id from unused)`;

/** The rows of the first account: developer and key, and the note that nobody has been shown them yet. */
export class FirstAccountRows {
  constructor(private readonly parts: { sequelize: Sequelize; developers: Developers; apiKeys: ApiKeys }) {}

  /**
   * Makes all of them or nothing, in the place of those that nobody was shown and nobody used. Undefined when there is
   * another account.
   */
  async make(email: string, password: string): Promise<{ developerId: string; apiKey: string } | undefined> {
    const { sequelize, developers, apiKeys } = this.parts;
    return sequelize.transaction(async (transaction) => {
      await sequelize.query(REMOVE_UNUSED, { transaction });
      await sequelize.query('delete from unshown_first_account', { transaction });
      if (await developers.exist(transaction)) return undefined;
      const developer = await developers.create(email, password, transaction);
      const { id, key } = await apiKeys.create({ name: 'First key' }, developer.id, transaction);
      const note = 'insert into unshown_first_account (developer_id, api_key_id) values ($1, $2)';
      await sequelize.query(note, { bind: [developer.id, id], transaction });
      return { developerId: developer.id, apiKey: key };
    });
  }

  /** A person has been shown them. */
  async markShown(): Promise<void> {
    await this.parts.sequelize.query('delete from unshown_first_account');
  }
}
