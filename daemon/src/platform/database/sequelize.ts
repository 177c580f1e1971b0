import { MS_PER_MINUTE } from '@healthd/model';
import pg from 'pg';
import { Sequelize, type Transaction } from 'sequelize';
import { connectionSettings } from './pool.js';

/**
 * A connection for Sequelize, which listens for errors only some time after the connection is open. A server that ends
 * the connection before that would otherwise end the process.
 */
class ModelClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

/**
 * Creates a Sequelize instance on the same server with the pool's session settings. Its models parse their columns by
 * type.
 */
export function createSequelize(options: { url: string; max?: number; applicationName?: string }): Sequelize {
  const session = connectionSettings({
    url: options.url,
    applicationName: options.applicationName ?? 'healthd models',
  });
  return new Sequelize(options.url, {
    dialect: 'postgres',
    dialectModule: { ...pg, Client: ModelClient },
    dialectOptions: { application_name: session.application_name, options: session.options },
    logging: false,
    timezone: '+00:00',
    pool: { max: options.max ?? 5, min: 0, idle: MS_PER_MINUTE, acquire: 10_000 },
    define: { underscored: true, freezeTableName: true },
  });
}

/** Runs a statement whose result does not matter: the pool, or a transaction. */
export interface StatementRunner {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** Runs statements on tables without models within a Sequelize transaction. */
export function statementsWithin(sequelize: Sequelize, transaction: Transaction): StatementRunner {
  return { query: (text, bind) => sequelize.query(text, { bind, transaction }) };
}
