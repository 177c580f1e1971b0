import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type ModelAttributes,
  type ModelStatic,
  type Sequelize,
} from 'sequelize';

/** The priority of a provider or of a device type; lower wins. */
export class PriorityRow extends Model<InferAttributes<PriorityRow>, InferCreationAttributes<PriorityRow>> {
  /** The provider, or the device type. */
  declare name: string;
  declare id: CreationOptional<string>;
  declare priority: number;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
}

export interface PriorityModels {
  providers: ModelStatic<PriorityRow>;
  deviceTypes: ModelStatic<PriorityRow>;
}

/** The models of priorities on one database; the class above stays free of any. */
export function priorityModels(sequelize: Sequelize): PriorityModels {
  class BoundProviderPriority extends PriorityRow {}
  BoundProviderPriority.init(columns('provider'), {
    sequelize,
    modelName: 'provider_priority',
    tableName: 'provider_priority',
    underscored: true,
  });
  class BoundDeviceTypePriority extends PriorityRow {}
  BoundDeviceTypePriority.init(columns('device_type'), {
    sequelize,
    modelName: 'device_type_priority',
    tableName: 'device_type_priority',
    underscored: true,
  });
  return { providers: BoundProviderPriority, deviceTypes: BoundDeviceTypePriority };
}

/** @param name the column that says what has the priority; the database gives new rows their id */
function columns(name: string): ModelAttributes<PriorityRow, InferAttributes<PriorityRow>> {
  return {
    name: { type: DataTypes.TEXT, primaryKey: true, field: name },
    id: DataTypes.UUID,
    priority: DataTypes.INTEGER,
    createdAt: DataTypes.DATE,
    updatedAt: DataTypes.DATE,
  };
}
