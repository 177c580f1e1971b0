import type { Parts } from '@healthd/daemon/compose';
import { exportJob, exportSweeper } from '@healthd/daemon/ingest/exports';
import { pullJob, pullSweeper } from '@healthd/daemon/ingest/pull';
import { deliveryJob, deliverySweeper } from '@healthd/daemon/ingest/webhooks';
import type { Settings } from '@healthd/daemon/settings';
import type { Granularity, Provider, ProviderConfiguration } from '@healthd/providers';
import { type ComposedOptions, openParts, withProvider } from './composed.js';
import { createTestDatabase } from './postgres.js';
import { newUser, type TestUser } from './recorded-user.js';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface ReadingOptions {
  provider: Provider;
  configuration?: Partial<ProviderConfiguration>;
  settings?: Partial<Settings>;
  historicalSyncOnConnect?: boolean;
  granularity?: Granularity;
  accountsAtOnce?: number;
  /** The service's clock. */
  now?: () => Date;
}

/** Opens the parts that sync vendors, on a separate database. Tests run their job manually. */
export async function openReadingFixture(options: ReadingOptions) {
  const database = await createTestDatabase({ maxConnections: 10 });
  const clock = { now: options.now ?? (() => new Date()) };
  const composed = readingOptions({ ...options, now: () => clock.now() });
  const { parts, close } = await openParts({ databaseUrl: database.url, ...composed });
  return {
    ...joinReading(parts, options.provider),
    clock,
    async close() {
      await close();
      await database.drop();
    },
  };
}

/** Returns settings and overrides for one provider. Syncs run only when a test runs the job. */
export function readingOptions(options: ReadingOptions): Required<Pick<ComposedOptions, 'settings' | 'overrides'>> {
  const { provider } = options;
  if (!provider.cloud) throw new Error('the provider has no cloud');
  const only = withProvider(provider, {
    clientId: 'client',
    clientSecret: 'client secret',
    scope: provider.cloud.oauth.defaultScope,
    addresses: provider.cloud.addresses,
    webhookSecret: 'a secret of the webhook',
    values: {},
    ...options.configuration,
  });
  return {
    settings: {
      ...only.settings,
      defaultDataGranularity: options.granularity ?? 'raw',
      historicalSyncOnConnect: options.historicalSyncOnConnect ?? true,
      jobConcurrency: (options.accountsAtOnce ?? 2) + 1,
      pullSyncLookbackMs: undefined,
      syncIntervalSeconds: 3_600,
      webhookPollIntervalSeconds: 21_600,
      webhookSilenceSeconds: 86_400,
      ...options.settings,
    },
    overrides: { ...only.overrides, tryEnqueue: async () => true, ...(options.now && { now: options.now }) },
  };
}

/** Returns functions that run the jobs of a service's parts manually and read the stored data. */
export function joinReading({ pool, connections, pulls: services, exports, deliveries }: Parts, provider: Provider) {
  const readDeliveries = deliveryJob(deliveries);
  const requestExports = exportJob(exports);
  const job = pullJob(services);
  /** `again` is called for each connection whose job requests another run. */
  const queued = { again: async (_connectionId: string) => true };

  const fixture = {
    pool,
    services,
    connections,
    provider,
    job,
    queued,
    addUser: () => newUser({ pool }),
    /** Stores a consent as the callback does, but starts no follow-up work. */
    async consent(
      user: TestUser,
      account = 'vendor-1',
      scope = provider.cloud?.oauth.defaultScope ?? '',
      providerId = provider.id,
    ): Promise<string> {
      const established = await connections.writer.establish({
        user,
        provider: providerId,
        tokens: { accessToken: `token of ${account}`, refreshToken: 'again', expiresInSeconds: 86_400, members: {} },
        scope,
        identity: { userId: account },
        accountState: 'linked',
        accessTokenSeconds: 86_400,
      });
      if (!established) throw new Error('no connection was made');
      return established.connectionId;
    },
    /** Executes all due work of a connection. */
    async work(connectionId: string, signal: AbortSignal = new AbortController().signal): Promise<void> {
      const again = ({ connection_id: id }: { connection_id: string }) => queued.again(id);
      await job.run({ connection_id: connectionId }, { signal, attempt: 1, log, touch: async () => {}, again });
    },
    /** Returns the connections for which the sweeper would queue a job. */
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
    /** Reads all deliveries that are due. */
    async readDeliveries(signal: AbortSignal = new AbortController().signal): Promise<number> {
      const found = await deliverySweeper(deliveries).findUnqueued(100);
      const context = { signal, attempt: 1, log, touch: async () => {}, again: async () => true };
      for (const payload of found) await readDeliveries.run(payload, context);
      return found.length;
    },
    /** Requests all exports that are due. */
    async requestExports(signal: AbortSignal = new AbortController().signal): Promise<number> {
      const found = await exportSweeper(exports, [provider.id]).findUnqueued(100);
      const context = { signal, attempt: 1, log, touch: async () => {}, again: async () => true };
      for (const payload of found) await requestExports.run(payload, context);
      return found.length;
    },
    /** Executes all due work of any user. */
    async settle(): Promise<void> {
      for (let round = 0; round < 50; round++) {
        const ids = await fixture.waiting();
        const more = (await fixture.readDeliveries()) + (await fixture.requestExports());
        if (ids.length + more === 0) return;
        for (const id of ids) await fixture.work(id);
      }
      throw new Error('there was always more to do');
    },
  };
  return fixture;
}

export type ReadingFixture = Awaited<ReturnType<typeof openReadingFixture>>;
