import type { Scope } from '@healthd/contract';
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';
import { domainSpellings } from '../platform/email-domain.js';
import { normalizeLoginName } from './login-name.js';

/** Somebody who administers the service. */
export class Developer extends Model<InferAttributes<Developer>, InferCreationAttributes<Developer>> {
  declare id: string;
  declare email: string;
  /** The email as {@link normalizeLoginName} has it; unique. */
  declare loginName: string;
  declare firstName: CreationOptional<string | null>;
  declare lastName: CreationOptional<string | null>;
  declare passwordHash: string;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** A server-to-server credential; only its hash is stored. `scopes` null is full access. */
export class ApiKey extends Model<InferAttributes<ApiKey>, InferCreationAttributes<ApiKey>> {
  declare id: string;
  declare name: string;
  declare prefix: string;
  declare lastFour: string;
  declare keyHash: Buffer;
  declare scopes: Scope[] | null;
  declare createdBy: string | null;
  declare createdAt: CreationOptional<Date>;
  declare lastUsedAt: CreationOptional<Date | null>;
  declare expiresAt: Date | null;
}

/** What may obtain tokens for users; only the hash of its secret is stored. */
export class Application extends Model<InferAttributes<Application>, InferCreationAttributes<Application>> {
  declare id: string;
  declare appId: string;
  declare name: string;
  declare secretHash: Buffer;
  declare developerId: string | null;
  declare createdAt: CreationOptional<Date>;
}

export interface AccountModels {
  developers: typeof Developer;
  apiKeys: typeof ApiKey;
  applications: typeof Application;
}

/** The models of accounts on one connection; the classes above stay free of any, so that several databases can be open. */
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
  return { developers: BoundDeveloper, apiKeys: BoundApiKey, applications: BoundApplication };
}

/**
 * The developer whom a login name in any spelling means. Accounts that are older than the normalized form were given
 * `lower(email)` for it, where a domain may be in letters.
 */
export async function findByLoginName({ developers }: AccountModels, text: string): Promise<Developer | undefined> {
  const loginName = domainSpellings(normalizeLoginName(text));
  return (await developers.findOne({ where: { loginName } })) ?? undefined;
}
