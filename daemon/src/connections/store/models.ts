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
import type { KeptRegistration } from '../subscribers/subscriber-registration.js';
import type { AccountState, ConnectionStatus, StatusReason } from './connection.js';

/** One user's connection to one provider. Tokens are sealed. `userId` and `nextTryAt` come with a query that asks for them. */
export class ConnectionRow extends Model<InferAttributes<ConnectionRow>, InferCreationAttributes<ConnectionRow>> {
  declare id: CreationOptional<string>;
  declare userKey: number;
  declare userId: CreationOptional<string>;
  declare provider: ProviderId;
  declare status: CreationOptional<ConnectionStatus>;
  declare statusReason: CreationOptional<StatusReason | null>;
  declare providerUserId: CreationOptional<string | null>;
  declare cursorAccount: CreationOptional<string | null>;
  declare providerUsername: CreationOptional<string | null>;
  declare scope: CreationOptional<string | null>;
  declare accessToken: CreationOptional<string | null>;
  declare refreshToken: CreationOptional<string | null>;
  declare tokenExpiresAt: CreationOptional<Date | null>;
  declare tokenVersion: CreationOptional<number>;
  declare timeZone: CreationOptional<string | null>;
  declare accountState: CreationOptional<AccountState>;
  declare accountCheckedAt: CreationOptional<Date | null>;
  declare consentedAt: CreationOptional<Date | null>;
  declare backfillStartedAt: CreationOptional<Date | null>;
  declare polledAt: CreationOptional<Date | null>;
  declare lastSyncedAt: CreationOptional<Date | null>;
  declare lastNotifiedAt: CreationOptional<Date | null>;
  declare lastError: CreationOptional<string | null>;
  declare lastErrorAt: CreationOptional<Date | null>;
  declare failingSince: CreationOptional<Date | null>;
  declare nextTryAt: CreationOptional<Date | null>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** What was chosen for a provider; no row is the default. */
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
  declare subscriberRegistration: CreationOptional<KeptRegistration | null>;
  declare firstNotifiedAt: CreationOptional<Date | null>;
  declare updatedAt: CreationOptional<Date>;
}

export interface ConnectionModels {
  connections: typeof ConnectionRow;
  providerSettings: typeof ProviderSettingRow;
}

/** The models of connections on one database; the classes above stay free of any. */
export function connectionModels(sequelize: Sequelize): ConnectionModels {
  class BoundConnection extends ConnectionRow {}
  BoundConnection.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true, defaultValue: DataTypes.UUIDV4 },
      userKey: DataTypes.BIGINT,
      userId: DataTypes.VIRTUAL(DataTypes.UUID),
      provider: DataTypes.TEXT,
      status: DataTypes.TEXT,
      statusReason: DataTypes.TEXT,
      providerUserId: DataTypes.TEXT,
      cursorAccount: DataTypes.TEXT,
      providerUsername: DataTypes.TEXT,
      scope: DataTypes.TEXT,
      accessToken: DataTypes.TEXT,
      refreshToken: DataTypes.TEXT,
      tokenExpiresAt: DataTypes.DATE,
      tokenVersion: DataTypes.INTEGER,
      timeZone: DataTypes.TEXT,
      accountState: DataTypes.TEXT,
      accountCheckedAt: DataTypes.DATE,
      consentedAt: DataTypes.DATE,
      backfillStartedAt: DataTypes.DATE,
      polledAt: DataTypes.DATE,
      lastSyncedAt: DataTypes.DATE,
      lastNotifiedAt: DataTypes.DATE,
      lastError: DataTypes.TEXT,
      lastErrorAt: DataTypes.DATE,
      failingSince: DataTypes.DATE,
      nextTryAt: DataTypes.VIRTUAL(DataTypes.DATE),
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, modelName: 'connection', tableName: 'connection', underscored: true },
  );
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
      firstNotifiedAt: DataTypes.DATE,
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
  return { connections: BoundConnection, providerSettings: BoundProviderSetting };
}
