import { type ProviderId, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { type Provider, providerById, type VendorQuotas } from '@healthd/providers';
import { joinReading, type ReadingOptions, readingOptions } from './reading-fixture.js';
import { startTestService } from './service.js';

/** Common members of simulated vendors. */
export interface Simulated {
  urls: { api: string; authorize: string; token: string; revoke?: string; user?: string };
  client: { id: string; secret: string };
  /** Values of the vendor's own settings. */
  settings?: Record<string, string>;
  control: { advanceClock(seconds: number): Promise<void> };
  close(): Promise<void>;
}

export interface VendorFixtureOptions {
  historicalSyncOnConnect?: boolean;
  settings?: ReadingOptions['settings'];
  /** Values of the provider's own settings. */
  values?: Record<string, string | undefined>;
  /** Request limits. Unlimited by default. */
  quotas?: VendorQuotas;
}

/** A connected user of the service. */
export interface ConnectedUser {
  userId: string;
  userKey: number;
  connectionId: string;
}

/** Starts the service with a vendor's simulator. Users consent through the real flow, and tests run jobs manually. */
export async function openVendorFixture<S extends Simulated>(
  id: ProviderId,
  simulator: S,
  {
    historicalSyncOnConnect = false,
    settings = {},
    values = {},
    quotas = { perUserAndMinute: 1_000_000, perApplicationAndMinute: 1_000_000 },
  }: VendorFixtureOptions = {},
) {
  const { api, authorize, token, revoke, user } = simulator.urls;
  const provider = providerById(id);
  if (!provider?.cloud) throw new Error(`${id} has no cloud`);
  const clock = { shiftMs: 0 };
  const settingValues: Record<string, string | undefined> = { ...simulator.settings, ...values };
  const fast: Provider = { ...provider, cloud: { ...provider.cloud, quotas } };
  const reads = readingOptions({
    historicalSyncOnConnect,
    settings,
    provider: fast,
    configuration: {
      clientId: simulator.client.id,
      clientSecret: simulator.client.secret,
      addresses: {
        api,
        authorize,
        token,
        ...(revoke !== undefined && { revoke }),
        ...(user !== undefined && { user }),
      },
      values: settingValues,
    },
    now: () => new Date(Date.now() + clock.shiftMs),
  });
  const service = await startTestService(reads);
  const reading = joinReading(service.parts, fast);
  const { pool } = reading;

  const fixture = {
    id,
    simulator,
    control: simulator.control as S['control'],
    service,
    call: service.call,
    reading,
    pool,
    /** The provider's own settings, which a test may change while the service runs. */
    settingValues,
    async wait(seconds: number): Promise<void> {
      await simulator.control.advanceClock(seconds);
      clock.shiftMs += seconds * 1_000;
    },
    /** Connects a user of the service to an account of the vendor. */
    async connect(account: string, user?: string): Promise<ConnectedUser> {
      const userId = user ?? (await service.call('POST', '/api/v1/users', {})).body.id;
      const authorized = await service.call('GET', `/api/v1/oauth/${id}/authorize?user_id=${userId}`);
      const address = new URL(authorized.body.authorization_url);
      address.searchParams.set('login_hint', account);
      const consented = await fetch(address, { redirect: 'manual' });
      const { pathname, search } = new URL(consented.headers.get('location') ?? '');
      const back = await fetch(`${service.url}${pathname}${search}`, { redirect: 'manual' });
      if (back.status !== 303) throw new Error(`the callback answered ${back.status}: ${await back.text()}`);
      const { rows } = await pool.query<{ id: string; user_key: number }>(
        'select c.id, c.user_key from connection c join health_user u using (user_key) where u.id = $1',
        [userId],
      );
      const row = rows[0];
      if (!row) throw new Error('no connection was made');
      return { userId, userKey: row.user_key, connectionId: row.id };
    },
    /** Syncs all new data. @returns the run */
    async pull({ userId, userKey }: ConnectedUser) {
      const { body } = await service.call('POST', `/api/v1/providers/${id}/users/${userId}/sync`);
      await reading.settle();
      return (await reading.runsOf(userKey)).find(({ run_id }) => run_id === body.run_id);
    },
    async lastRun({ userKey }: ConnectedUser) {
      return (await reading.runsOf(userKey)).at(-1);
    },
    async connection({ userId }: ConnectedUser) {
      return (await service.call('GET', `/api/v1/users/${userId}/connections`)).body[0];
    },
    /** Returns stored values of a series, oldest first. */
    async samples(userKey: number, code: SeriesCode) {
      const { rows } = await pool.query<{ at: Date; value: number }>(
        'select start_at as at, value from sample where user_key = $1 and type_id = $2 order by start_at',
        [userKey, seriesTypeByCode(code).id],
      );
      return rows.map(({ at, value }) => ({ atMs: at.getTime(), value }));
    },
    async nights(userKey: number) {
      const { rows } = await pool.query(
        `select id, external_id, start_at, end_at, is_nap, asleep_seconds from sleep_session
          where user_key = $1 order by start_at`,
        [userKey],
      );
      return rows;
    },
    /** Returns IDs and values of stored scores, oldest first. */
    async scores(userKey: number): Promise<{ id: string; value: number | null }[]> {
      const { rows } = await pool.query(
        'select external_id as id, value from health_score where user_key = $1 order by recorded_at, external_id',
        [userKey],
      );
      return rows;
    },
    /** Returns all stored data of a user in a stable order, for comparison. */
    async everything(userKey: number): Promise<string[]> {
      const { rows } = await pool.query<{ row: string }>(
        `select 'sample ' || type_id || ' ' || start_at || ' ' || value as row from sample where user_key = $1
         union all select 'sleep ' || id || ' ' || external_id || ' ' || start_at || ' ' || end_at from sleep_session
                    where user_key = $1
         union all select 'workout ' || id || ' ' || external_id || ' ' || start_at from workout where user_key = $1
         union all select 'score ' || external_id || ' ' || recorded_at || ' ' || coalesce(value::text, 'none')
                     from health_score where user_key = $1
         order by 1`,
        [userKey],
      );
      return rows.map(({ row }) => row);
    },
    async close() {
      await service.stop();
      await simulator.close();
    },
  };
  return fixture;
}

export type VendorFixture<S extends Simulated> = Awaited<ReturnType<typeof openVendorFixture<S>>>;
