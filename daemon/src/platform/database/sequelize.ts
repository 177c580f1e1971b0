import { MS_PER_MINUTE } from '@healthd/model';
import pg from 'pg';
import { Sequelize, type Transaction } from 'sequelize';
import { connectionSettings } from './pool.js';

/**
 * A connection that handles errors immediately. Sequelize adds its error listener only some time after the connection
 * is open, and an error before that would end the process.
 */
class ModelClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

/**
 * Creates a Sequelize instance on the same server, with the session settings of the pool. Its models parse columns by
 * their declared types.
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

/** Runs statements whose result does not matter, on a pool or in a transaction. */
export interface StatementRunner {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** Returns a runner for statements within a Sequelize transaction, for tables without a model. */
export function statementsWithin(sequelize: Sequelize, transaction: Transaction): StatementRunner {
  return { query: (text, bind) => sequelize.query(text, { bind, transaction }) };
}
