import type { ProviderId } from '@healthd/model';
import { literal, Op, type WhereOptions } from 'sequelize';
import type { Connection } from './connection.js';
import type { ConnectionModels, ConnectionRow } from './models.js';

/** The user's public id beside each row. */
const WITH_USER = {
  include: [[literal('(select u.id from health_user u where u.user_key = "connection"."user_key")'), 'userId']] as [
    ReturnType<typeof literal>,
    string,
  ][],
};

const OLDEST_FIRST: [string, string][] = [
  ['createdAt', 'asc'],
  ['id', 'asc'],
];
const NEWEST_FIRST: [string, string][] = [
  ['createdAt', 'desc'],
  ['id', 'asc'],
];

/** Finds connections; see `ConnectionWriter` for what changes them. */
export class ConnectionReader {
  constructor(private readonly models: Pick<ConnectionModels, 'connections'>) {}

  async find(userKey: number, provider: ProviderId): Promise<Connection | undefined> {
    return (await this.#all({ userKey, provider }, OLDEST_FIRST))[0];
  }

  async findById(id: string): Promise<Connection | undefined> {
    return (await this.#all({ id }, OLDEST_FIRST))[0];
  }

  /** All of a user, whatever their status, newest first. */
  ofUser(userKey: number): Promise<Connection[]> {
    return this.#all({ userKey }, NEWEST_FIRST);
  }

  /** Active ones whose vendor can be asked, oldest first. */
  active(filter: { userKey?: number; provider?: ProviderId } = {}): Promise<Connection[]> {
    return this.#all({ ...filter, status: 'active', accessToken: { [Op.not]: null } }, OLDEST_FIRST);
  }

  /** Active ones of one account of the vendor, oldest first. */
  ofVendorAccount(provider: ProviderId, providerUserId: string): Promise<Connection[]> {
    return this.#all({ provider, providerUserId, status: 'active' }, OLDEST_FIRST);
  }

  /** Ids of the other users with an active connection to the same account, by connection. */
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

  async #all(where: WhereOptions, order: [string, string][]): Promise<Connection[]> {
    const rows = await this.models.connections.findAll({ attributes: WITH_USER, where, order });
    return rows.map(connectionOf);
  }
}

function connectionOf(row: ConnectionRow): Connection {
  return {
    id: row.id,
    userKey: row.userKey,
    userId: row.userId,
    provider: row.provider,
    status: row.status,
    statusReason: row.statusReason ?? undefined,
    providerUserId: row.providerUserId ?? undefined,
    providerUsername: row.providerUsername ?? undefined,
    scope: row.scope ?? undefined,
    grantedScopes: new Set(row.scope?.split(/\s+/).filter(Boolean)),
    hasTokens: row.accessToken !== null,
    accountState: row.accountState,
    accountCheckedAt: row.accountCheckedAt ?? undefined,
    consentedAt: row.consentedAt ?? undefined,
    backfillStartedAt: row.backfillStartedAt ?? undefined,
    lastSyncedAt: row.lastSyncedAt ?? undefined,
    lastNotifiedAt: row.lastNotifiedAt ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
