import type { ProviderId } from '@healthd/model';
import type { Granularity } from '@healthd/providers';
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

/** Binds the model to one database. The class above is not bound to any. */
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
