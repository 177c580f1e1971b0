import type { ProviderId } from '@healthd/model';
import type { Granularity } from '@healthd/providers';
import type pg from 'pg';
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import type { SubscriberState } from '../connections.js';
import type { StoredRegistration } from '../subscribers/subscriber-registration.js';
import type { StoredTerms } from './term-states.js';

/** Settings of a provider; without a row the defaults apply. */
export class ProviderSettingRow extends Model<
  InferAttributes<ProviderSettingRow>,
  InferCreationAttributes<ProviderSettingRow>
> {
  declare provider: ProviderId;
  declare isEnabled: CreationOptional<boolean>;
  declare liveSyncMode: CreationOptional<'pull' | 'webhook' | null>;
  declare dataGranularity: CreationOptional<Granularity | null>;
  declare subscriberState: CreationOptional<SubscriberState | null>;
  declare subscriberError: CreationOptional<string | null>;
  declare subscriberRegistration: CreationOptional<StoredRegistration | null>;
  declare givenSecret: CreationOptional<string | null>;
  declare firstNotifiedAt: CreationOptional<Date | null>;
  declare terms: CreationOptional<StoredTerms>;
  declare updatedAt: CreationOptional<Date>;
}

/** Binds the model to one database. The class above is not bound to a database. */
export function providerSettingModel(sequelize: Sequelize): typeof ProviderSettingRow {
  class BoundProviderSetting extends ProviderSettingRow {}
  BoundProviderSetting.init(
    {
      provider: { type: DataTypes.TEXT, primaryKey: true },
      isEnabled: DataTypes.BOOLEAN,
      liveSyncMode: DataTypes.TEXT,
      dataGranularity: DataTypes.TEXT,
      subscriberState: DataTypes.TEXT,
      subscriberError: DataTypes.TEXT,
      subscriberRegistration: DataTypes.JSONB,
      givenSecret: DataTypes.TEXT,
      firstNotifiedAt: DataTypes.DATE,
      terms: DataTypes.JSONB,
      updatedAt: DataTypes.DATE,
    },
    {
      sequelize,
      modelName: 'provider_setting',
      tableName: 'provider_setting',
      underscored: true,
      createdAt: false,
    },
  );
  return BoundProviderSetting;
}

/** Terms of a provider that has neither overrides nor answers. */
export const NO_TERMS: StoredTerms = { overrides: {}, answers: {} };

/** Loads a provider's terms in a transaction on health data, which does not use Sequelize. Nobody changes them before its end. */
export async function lockTerms(client: pg.ClientBase, id: ProviderId): Promise<StoredTerms> {
  const { rows } = await client.query<{ terms: StoredTerms }>(
    'select terms from provider_setting where provider = $1 for share',
    [id],
  );
  return rows[0]?.terms ?? NO_TERMS;
}

/**
 * SQL for the `id` and `terms` of the provider in a parameter, for a statement on health data. `terms` is null without a
 * stored setting. Yields no row if the parameter is null.
 */
export function termsSql(provider: `$${number}`): string {
  return `select given.id, s.terms from (select ${provider}::text as id) given
            left join provider_setting s on s.provider = given.id where given.id is not null`;
}
