import { type Connection, connectionFault, type PullBlocker } from '../../connections/index.js';
import { loadFallbackZone } from '../../store/facts/index.js';
import type { OpenRun } from './open-runs.js';
import { type PullContext, priorityOf } from './pull-context.js';
import type { PullServices } from './pull-services.js';

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
