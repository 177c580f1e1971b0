import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from 'sequelize';

/** A person whose data the service holds. `userKey` is internal; `id` is what the API shows. */
export class HealthUser extends Model<InferAttributes<HealthUser>, InferCreationAttributes<HealthUser>> {
  declare userKey: CreationOptional<number>;
  declare id: string;
  declare email: string | null;
  declare firstName: string | null;
  declare lastName: string | null;
  declare externalUserId: string | null;
  declare timeZone: string | null;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

/** The model on one connection. */
export function healthUserModel(sequelize: Sequelize): typeof HealthUser {
  class BoundHealthUser extends HealthUser {}
  BoundHealthUser.init(
    {
      userKey: { type: DataTypes.BIGINT, primaryKey: true, autoIncrement: true },
      id: DataTypes.UUID,
      email: DataTypes.TEXT,
      firstName: DataTypes.STRING(100),
      lastName: DataTypes.STRING(100),
      externalUserId: DataTypes.STRING(255),
      timeZone: DataTypes.TEXT,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { sequelize, modelName: 'health_user', tableName: 'health_user', underscored: true },
  );
  return BoundHealthUser;
}
