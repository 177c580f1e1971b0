import type { ProviderId } from '@healthd/model';
import type pg from 'pg';
import { statement } from '../../platform/database/index.js';
import type { Connection } from './connection.js';
import { CONNECTION_COLUMNS, type ConnectionRow, connectionOf } from './connection-row.js';

const selecting = (name: string, rest: string) =>
  statement(`connection_${name}`, `select ${CONNECTION_COLUMNS} from connection c where ${rest}`);

const OF_USER_AND_PROVIDER = selecting('of_user_and_provider', 'c.user_key = $1 and c.provider = $2');
const BY_ID = selecting('by_id', 'c.id = $1');
const OF_USER = selecting('of_user', 'c.user_key = $1 order by c.created_at desc, c.id');
const ACTIVE = selecting(
  'active',
  `c.status = 'active' and c.access_token is not null and ($1::bigint is null or c.user_key = $1)
     and ($2::text is null or c.provider = $2) order by c.created_at, c.id`,
);
const OF_VENDOR_ACCOUNT = selecting(
  'of_vendor_account',
  `c.provider = $1 and c.provider_user_id = $2 and c.status = 'active' order by c.created_at, c.id`,
);

/** Finds connections. `ConnectionWriter` changes them. */
export class ConnectionReader {
  constructor(private readonly pool: pg.Pool) {}

  async find(userKey: number, provider: ProviderId): Promise<Connection | undefined> {
    return (await this.#all(OF_USER_AND_PROVIDER([userKey, provider])))[0];
  }

  async findById(id: string): Promise<Connection | undefined> {
    return (await this.#all(BY_ID([id])))[0];
  }

  /** Returns all of a user's connections in any status, newest first. */
  ofUser(userKey: number): Promise<Connection[]> {
    return this.#all(OF_USER([userKey]));
  }

  /** Returns active connections whose vendor can be queried, oldest first. */
  active(filter: { userKey?: number; provider?: ProviderId } = {}): Promise<Connection[]> {
    return this.#all(ACTIVE([filter.userKey ?? null, filter.provider ?? null]));
  }

  /** Returns active connections of one vendor account, oldest first. @param client a transaction of the caller */
  ofVendorAccount(provider: ProviderId, providerUserId: string, client?: pg.ClientBase): Promise<Connection[]> {
    return this.#all(OF_VENDOR_ACCOUNT([provider, providerUserId]), client);
  }

  /** Returns, for each connection, the IDs of other users with an active connection to the same account. */
  async linkedUserIds(connections: readonly Connection[]): Promise<Map<string, string[]>> {
    const linked = new Map<string, string[]>();
    for (const { id, userKey, provider, providerUserId, status } of connections) {
      if (status !== 'active' || providerUserId === undefined) continue;
      const same = await this.ofVendorAccount(provider, providerUserId);
      linked.set(
        id,
        same.filter((other) => other.userKey !== userKey).map((other) => other.userId),
      );
    }
    return linked;
  }

  async #all(query: pg.QueryConfig, database: pg.Pool | pg.ClientBase = this.pool): Promise<Connection[]> {
    return (await (database as pg.Pool).query<ConnectionRow>(query)).rows.map(connectionOf);
  }
}
