import type { PullAdapter, PullMode, VendorAccount, VendorApi } from '@healthd/providers';
import {
  type Connection,
  connectionFault,
  type ProviderSetting,
  type PullBlocker,
  type RequestPriority,
} from '../../connections/index.js';
import { loadFallbackZone } from '../../store/facts/index.js';
import type { OpenRun, PullKind } from './open-runs.js';
import type { PullServices } from './pull-services.js';

/** Everything that stays the same while one run is worked on. */
export interface PullContext {
  connection: Connection;
  adapter: PullAdapter;
  api: VendorApi;
  mode: PullMode;
  use: ProviderSetting;
  account: VendorAccount;
  /** Connections of other users with the same vendor account. */
  linked: Connection[];
  /** Kinds of data that the vendor did not give in this turn. */
  deferred: Map<string, DeferredType>;
  /** How often in a row the answer for a kind of data was outdated when it came. */
  outdated: Map<string, number>;
  /** The longest range of a type, where the vendor refused longer ones. */
  longestMs: Map<string, number>;
  /** When a step was last reported, by a clock that only goes forward. */
  reportedAtMs: number;
}

/** Why a kind of data is read later, and when. */
export interface DeferredType {
  waitMs: number;
  /** How often the run is postponed for it at most. */
  limit: number;
  /** Codes only. */
  code: string;
}

/** One turn of a connection's job; it remembers what it found out about runs. */
export class PullTurn {
  private readonly contexts = new Map<string, PullContext>();
  private readonly connections = new Map<string, Connection>();

  constructor(
    private readonly services: PullServices,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws VendorError where the vendor must be asked about the account */
  async contextOf(run: OpenRun): Promise<PullContext | PullBlocker> {
    const known = this.contexts.get(run.runId);
    if (known) return known;
    const found = await this.find(run);
    if (typeof found !== 'string') this.contexts.set(run.runId, found);
    return found;
  }

  /** The connection as it was when the vendor was asked about its account. */
  connectionOf({ runId }: OpenRun): Connection | undefined {
    return this.connections.get(runId);
  }

  /** Another account of the vendor was connected meanwhile: everything is found out again. */
  forget({ runId }: OpenRun): void {
    this.contexts.delete(runId);
    this.connections.delete(runId);
  }

  private async find({
    runId,
    connectionId,
    kind,
  }: Pick<OpenRun, 'runId' | 'connectionId' | 'kind'>): Promise<PullContext | PullBlocker> {
    const { connections, pool } = this.services;
    const stored = await connections.findConnectionById(connectionId);
    const fault = connectionFault(stored);
    if (!stored || fault) return fault ?? 'not_connected';
    const configured = connections.configurationOf(stored.provider);
    const adapter = configured?.cloud.pull;
    if (!configured || !adapter) return 'unconfigured';
    const use = await connections.settingOf(stored.provider);
    if (!use.isEnabled) return 'disabled';
    const connection = stored.providerUserId === undefined ? await connections.ensureIdentity(stored) : stored;
    this.connections.set(runId, connection);
    const api = connections.vendorApiOf(connection, this.signal, priorityOf(kind, connection));
    const account = await adapter.account(api, connection.grantedScopes);
    const userTimeZone = await loadFallbackZone(pool, connection.userKey);
    const linked = await this.linkedWith(connection);
    if (account.timeZone !== undefined) {
      for (const one of [connection, ...linked]) await connections.storeTimeZone(one, account.timeZone);
    }
    return {
      connection,
      adapter,
      api,
      use,
      account: { ...account, ...(userTimeZone !== undefined && { userTimeZone }) },
      mode: { granularity: use.granularity, configuration: configured.configuration },
      linked,
      deferred: new Map(),
      outdated: new Map(),
      longestMs: new Map(),
      reportedAtMs: Number.NEGATIVE_INFINITY,
    };
  }

  private async linkedWith({ id, provider, providerUserId }: Connection): Promise<Connection[]> {
    if (providerUserId === undefined) return [];
    const all = await this.services.connections.connectionsOfVendorAccount(provider, providerUserId);
    return all.filter((other) => other.id !== id);
  }
}

/** Whether the vendor itself reports changes, so that polling has nothing to find. */
export function isNotified({ liveSyncMode, subscriberState, firstNotifiedAt }: ProviderSetting): boolean {
  if (liveSyncMode !== 'webhook') return false;
  return subscriberState === 'active' || (subscriberState === 'unmanaged' && firstNotifiedAt !== undefined);
}

/** In this order: what a caller waits for, users without data yet, what the vendor reported, the schedule, the past. */
export function priorityOf(kind: PullKind, { lastSyncedAt }: Connection): RequestPriority {
  return kind === 'live' && lastSyncedAt === undefined ? 'first_sync' : kind;
}
