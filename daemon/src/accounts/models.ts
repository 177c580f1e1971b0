import type { KeyScope } from '@healthd/contract';
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from 'sequelize';
import { domainSpellings } from '../platform/email-domain.js';
import { normalizeLoginName } from './login-name.js';

/** An administrator of the service. */
export class Developer extends Model<InferAttributes<Developer>, InferCreationAttributes<Developer>> {
  declare id: string;
  declare email: string;
  /** The email, normalized by {@link normalizeLoginName}; unique. */
  declare loginName: string;
  declare firstName: CreationOptional<string | null>;
  declare lastName: CreationOptional<string | null>;
  declare passwordHash: string;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A server-to-server credential, stored as a hash. `scopes` null is full access. */
export class ApiKey extends Model<InferAttributes<ApiKey>, InferCreationAttributes<ApiKey>> {
  declare id: string;
  declare name: string;
  declare prefix: string;
  declare lastFour: string;
  declare keyHash: Buffer;
  declare scopes: KeyScope[] | null;
  declare createdBy: string | null;
  declare createdAt: CreationOptional<Date>;
  declare lastUsedAt: CreationOptional<Date | null>;
  declare expiresAt: Date | null;
  /** ID of the key that replaced this one in a rotation. */
  declare replacedBy: CreationOptional<string | null>;
}

/** An application that may obtain tokens for users. Its secret is stored as a hash. */
export class Application extends Model<InferAttributes<Application>, InferCreationAttributes<Application>> {
  declare id: string;
  declare appId: string;
  declare name: string;
  declare secretHash: Buffer;
  declare developerId: string | null;
  declare createdAt: CreationOptional<Date>;
}

/** An invitation link for a new developer. The token is hashed for lookups and encrypted to be shown again. */
export class DeveloperInvitation extends Model<
  InferAttributes<DeveloperInvitation>,
  InferCreationAttributes<DeveloperInvitation>
> {
  declare id: string;
  declare email: string;
  declare loginName: string;
  declare tokenHash: Buffer;
  declare tokenSealed: string;
  declare status: 'pending' | 'accepted' | 'revoked';
  declare invitedById: string | null;
  declare createdAt: CreationOptional<Date>;
  declare expiresAt: Date;
}

/** Hash of a key adopted from another service. Kept after the key is revoked, so that it is never adopted again. */
class AdoptedKey extends Model<InferAttributes<AdoptedKey>, InferCreationAttributes<AdoptedKey>> {
  declare keyHash: Buffer;
}

/** Account and key of the first start that have not been shown yet. */
class UnshownFirstAccount extends Model<
  InferAttributes<UnshownFirstAccount>,
  InferCreationAttributes<UnshownFirstAccount>
> {
  declare developerId: string;
  declare apiKeyId: string;
  declare developer?: NonAttribute<Developer>;
  declare apiKey?: NonAttribute<ApiKey>;
}

export interface AccountModels {
  developers: typeof Developer;
  apiKeys: typeof ApiKey;
  applications: typeof Application;
  invitations: typeof DeveloperInvitation;
  adoptedKeys: typeof AdoptedKey;
  unshownFirstAccounts: typeof UnshownFirstAccount;
}

/**
 * Binds the account models to one connection. The classes above are not bound, so that several databases can be open.
 */
export function accountModels(sequelize: Sequelize): AccountModels {
  class BoundDeveloper extends Developer {}
  BoundDeveloper.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      email: DataTypes.TEXT,
      loginName: DataTypes.TEXT,
      firstName: DataTypes.STRING(100),
      lastName: DataTypes.STRING(100),
      passwordHash: DataTypes.TEXT,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, modelName: 'developer', tableName: 'developer', underscored: true },
  );
  class BoundApiKey extends ApiKey {}
  BoundApiKey.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      name: DataTypes.TEXT,
      prefix: DataTypes.TEXT,
      lastFour: DataTypes.TEXT,
      keyHash: DataTypes.BLOB,
      scopes: DataTypes.ARRAY(DataTypes.TEXT),
      createdBy: DataTypes.UUID,
      createdAt: DataTypes.DATE,
      lastUsedAt: DataTypes.DATE,
      expiresAt: DataTypes.DATE,
      replacedBy: DataTypes.UUID,
    },
    { sequelize, modelName: 'api_key', tableName: 'api_key', underscored: true, updatedAt: false },
  );
  class BoundApplication extends Application {}
  BoundApplication.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      appId: DataTypes.TEXT,
      name: DataTypes.STRING(100),
      secretHash: DataTypes.BLOB,
      developerId: DataTypes.UUID,
      createdAt: DataTypes.DATE,
    },
    { sequelize, modelName: 'application', tableName: 'application', underscored: true, updatedAt: false },
  );
  class BoundInvitation extends DeveloperInvitation {}
  BoundInvitation.init(
    {
      id: { type: DataTypes.UUID, primaryKey: true },
      email: DataTypes.TEXT,
      loginName: DataTypes.TEXT,
      tokenHash: DataTypes.BLOB,
      tokenSealed: DataTypes.TEXT,
      status: DataTypes.TEXT,
      invitedById: DataTypes.UUID,
      createdAt: DataTypes.DATE,
      expiresAt: DataTypes.DATE,
    },
    {
      sequelize,
      modelName: 'developer_invitation',
      tableName: 'developer_invitation',
      underscored: true,
      updatedAt: false,
    },
  );
  class BoundAdoptedKey extends AdoptedKey {}
  BoundAdoptedKey.init(
    { keyHash: { type: DataTypes.BLOB, primaryKey: true } },
    { sequelize, modelName: 'adopted_api_key', tableName: 'adopted_api_key', underscored: true, timestamps: false },
  );
  class BoundUnshown extends UnshownFirstAccount {}
  BoundUnshown.init(
    { developerId: { type: DataTypes.UUID, primaryKey: true }, apiKeyId: DataTypes.UUID },
    {
      sequelize,
      modelName: 'unshown_first_account',
      tableName: 'unshown_first_account',
      underscored: true,
      timestamps: false,
    },
  );
  BoundUnshown.belongsTo(BoundDeveloper, { as: 'developer', foreignKey: 'developerId' });
  BoundUnshown.belongsTo(BoundApiKey, { as: 'apiKey', foreignKey: 'apiKeyId' });
  return {
    developers: BoundDeveloper,
    apiKeys: BoundApiKey,
    applications: BoundApplication,
    invitations: BoundInvitation,
    adoptedKeys: BoundAdoptedKey,
    unshownFirstAccounts: BoundUnshown,
  };
}

/**
 * Finds the developer by a login name in any spelling. Accounts older than the normalized form have `lower(email)` as
 * login name, with the domain possibly in Unicode.
 */
export async function findByLoginName({ developers }: AccountModels, text: string): Promise<Developer | undefined> {
  const loginName = domainSpellings(normalizeLoginName(text));
  return (await developers.findOne({ where: { loginName } })) ?? undefined;
}
