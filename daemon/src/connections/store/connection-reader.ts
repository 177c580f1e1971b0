import type { ProviderId } from '@healthd/model';
import { literal, Op, type WhereOptions } from 'sequelize';
import type { Connection } from './connection.js';
import { scopesIn } from './granted.js';
import type { ConnectionModels, ConnectionRow } from './models.js';

/** The user's public id beside each row, and when the first of its waiting runs goes on. */
const BESIDE_ROW: { include: [ReturnType<typeof literal>, string][] } = {
  include: [
    [literal('(select u.id from health_user u where u.user_key = "connection"."user_key")'), 'userId'],
    [
      literal(
        `(select min(r.next_try_at) from sync_run r
           where r.user_key = "connection"."user_key" and r.provider = "connection"."provider"
             and r.source <> 'xml_import' and r.next_try_at is not null)`,
      ),
      'nextTryAt',
    ],
  ],
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
    const rows = await this.models.connections.findAll({ attributes: BESIDE_ROW, where, order });
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
    grantedScopes: scopesIn(row.scope),
    hasTokens: row.accessToken !== null,
    timeZone: row.timeZone ?? undefined,
    accountState: row.accountState,
    accountCheckedAt: row.accountCheckedAt ?? undefined,
    consentedAt: row.consentedAt ?? undefined,
    backfillStartedAt: row.backfillStartedAt ?? undefined,
    polledAt: row.polledAt ?? undefined,
    lastSyncedAt: row.lastSyncedAt ?? undefined,
    lastNotifiedAt: row.lastNotifiedAt ?? undefined,
    lastError: row.lastError ?? undefined,
    lastErrorAt: row.lastErrorAt ?? undefined,
    failingSince: row.failingSince ?? undefined,
    nextTryAt: row.nextTryAt ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
