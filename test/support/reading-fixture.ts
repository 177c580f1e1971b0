import { createConnections } from '@healthd/daemon/connections';
import { type ConnectedServices, pullJob, pullSweeper } from '@healthd/daemon/ingest/pull';
import { createSequelize } from '@healthd/daemon/platform/database';
import { createSyncNotifier, createSyncRuns } from '@healthd/daemon/runs';
import { createVault } from '@healthd/daemon/vault';
import { type Granularity, type Provider, type ProviderConfiguration, providerById } from '@healthd/providers';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { newUser, recordWriter, type TestUser } from './recorded-user.js';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface ReadingOptions {
  provider: Provider;
  configuration?: Partial<ProviderConfiguration>;
  settings?: Partial<ConnectedServices['settings']>;
  historicalSyncOnConnect?: boolean;
  granularity?: Granularity;
  accountsAtOnce?: number;
  /** What the service takes for the time. */
  now?: () => Date;
}

/** The parts that read from vendors, on a database of their own; their job is run by hand. */
export async function openReadingFixture(options: ReadingOptions) {
  const database = await createTestDatabase({ maxConnections: 10 });
  const fixture = joinReading(database, options);
  return {
    ...fixture,
    async close() {
      await fixture.close();
      await database.drop();
    },
  };
}

/** The same on a database that is there already. */
export function joinReading({ pool, url }: Pick<TestDatabase, 'pool' | 'url'>, options: ReadingOptions) {
  const { provider } = options;
  if (!provider.cloud) throw new Error('the provider has no cloud');
  const sequelize = createSequelize({ url });
  const configuration: ProviderConfiguration = {
    clientId: 'client',
    clientSecret: 'client secret',
    scope: provider.cloud.oauth.defaultScope,
    addresses: provider.cloud.addresses,
    webhookSecret: 'a secret of the webhook',
    values: {},
    ...options.configuration,
  };
  const connections = createConnections({
    pool,
    sequelize,
    log,
    defaultGranularity: options.granularity ?? 'raw',
    providers: [provider],
    vault: createVault([new Uint8Array(32).fill(8)]),
    configurations: { [provider.id]: configuration },
  });
  const clock = { now: options.now ?? (() => new Date()) };
  const services: ConnectedServices = {
    pool,
    connections,
    runs: createSyncRuns(pool, createSyncNotifier(pool)),
    writer: recordWriter({ pool }),
    settings: {
      lookbackMs: undefined,
      syncIntervalSeconds: 3_600,
      webhookPollSeconds: 21_600,
      webhookSilenceSeconds: 86_400,
      ...options.settings,
    },
    historicalSyncOnConnect: options.historicalSyncOnConnect ?? true,
    cloudOf: (id) => (id === provider.id ? provider.cloud : providerById(id)?.cloud),
    maxHistoricalDays: () => provider.maxHistoricalDays,
    metrics: { runEnded: () => {}, rowsStored: () => {}, vendorFailed: () => {}, notified: () => {} },
    now: () => clock.now(),
    accountsAtOnce: options.accountsAtOnce ?? 2,
    pulls: { tryEnqueue: async () => true },
  };
  const job = pullJob(services);
  /** Told of each connection whose job asks to run again. */
  const queued = { again: async (_connectionId: string) => true };

  const fixture = {
    pool,
    services,
    connections,
    provider,
    clock,
    job,
    queued,
    addUser: () => newUser({ pool }),
    /** A consent as the callback stores it; nothing follows it. */
    async consent(user: TestUser, account = 'vendor-1', scope = configuration.scope): Promise<string> {
      const established = await connections.writer.establish({
        user,
        provider: provider.id,
        tokens: { accessToken: `token of ${account}`, refreshToken: 'again', expiresInSeconds: 86_400, members: {} },
        scope,
        identity: { userId: account },
        accountState: 'linked',
        accessTokenSeconds: 86_400,
      });
      if (!established) throw new Error('no connection was made');
      return established.connectionId;
    },
    /** Works off everything that is due for a connection. */
    async work(connectionId: string, signal: AbortSignal = new AbortController().signal): Promise<void> {
      const again = ({ connection_id: id }: { connection_id: string }) => queued.again(id);
      await job.run({ connection_id: connectionId }, { signal, attempt: 1, log, touch: async () => {}, again });
    },
    /** Connections with work that nobody does. */
    async waiting(): Promise<string[]> {
      const found = await pullSweeper(services).findUnqueued(100);
      return found.map(({ connection_id: id }) => id);
    },
    async runsOf(userKey: number) {
      const { rows } = await pool.query(
        `select run_id, source, stage, status, message, error, metadata, primary_user_id from sync_run
          where user_key = $1 order by created_at, run_id`,
        [userKey],
      );
      return rows;
    },
    async samplesOf(userKey: number): Promise<string[]> {
      const { rows } = await pool.query(
        `select to_char(start_at, 'YYYY-MM-DD HH24:MI') || ' ' || type_id || ' ' || value as row from sample
          where user_key = $1 order by start_at, type_id`,
        [userKey],
      );
      return rows.map(({ row }) => row);
    },
    async cursorsOf(connectionId: string): Promise<Record<string, string | undefined>> {
      const { rows } = await pool.query<{ data_type: string; cursor_at: Date | null }>(
        'select data_type, cursor_at from connection_data_type where connection_id = $1 order by data_type',
        [connectionId],
      );
      return Object.fromEntries(rows.map(({ data_type, cursor_at }) => [data_type, cursor_at?.toISOString()]));
    },
    /** Works off everything that is due for anybody. */
    async settle(): Promise<void> {
      for (let round = 0; round < 50; round++) {
        const ids = await fixture.waiting();
        if (ids.length === 0) return;
        for (const id of ids) await fixture.work(id);
      }
      throw new Error('there was always more to do');
    },
    close: () => sequelize.close(),
  };
  return fixture;
}

export type ReadingFixture = Awaited<ReturnType<typeof openReadingFixture>>;
