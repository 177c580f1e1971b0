import { MS_PER_MINUTE, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { type Granularity, type Provider, providerById, type VendorQuotas } from '@healthd/providers';
import { type GoogleSimulator, type GoogleSimulatorOptions, startGoogleSimulator } from '@healthd/simulators';
import { joinReading, type ReadingOptions, readingOptions } from '../../support/reading-fixture.js';
import { startTestService } from '../../support/service.js';

export const WEBHOOK_SECRET = 'a secret between the vendor and us';

export interface GoogleFixtureOptions {
  /** Start time of the vendor's clock and the service's clock. */
  now?: string;
  granularity?: Granularity;
  /** Further settings of the provider, such as USE_RECONCILE. */
  values?: Record<string, string>;
  settings?: ReadingOptions['settings'];
  historicalSyncOnConnect?: boolean;
  simulator?: GoogleSimulatorOptions;
  /** Request limits of the service. Effectively unlimited by default. */
  quotas?: VendorQuotas;
}

const BASE = 'https://www.googleapis.com/auth/googlehealth.';
/** Scopes that a user grants. Fewer data types shorten a test. */
export const GRANTS = {
  activity: ['openid', 'email', `${BASE}settings.readonly`, `${BASE}activity_and_fitness.readonly`],
  sleep: ['openid', 'email', `${BASE}settings.readonly`, `${BASE}sleep.readonly`],
  health: ['openid', 'email', `${BASE}settings.readonly`, `${BASE}health_metrics_and_measurements.readonly`],
};

const NO_LIMIT: VendorQuotas = { perUserAndMinute: 1_000_000, perApplicationAndMinute: 1_000_000 };

/** Starts the vendor's simulator and the service. Users consent through the real redirects, and jobs run on demand. */
export async function openGoogleFixture(options: GoogleFixtureOptions = {}) {
  const simulator = await startGoogleSimulator({
    autoConsent: true,
    now: options.now,
    // The simulator enforces its own limit only in tests that limit the service's requests.
    ...(options.quotas === undefined && { quota: { perUser: 1_000_000 } }),
    ...options.simulator,
  });
  const clock = { shiftMs: (options.now === undefined ? Date.now() : Date.parse(options.now)) - Date.now() };
  const reads = readingOptions(configured(simulator, options, clock));
  const service = await startTestService(reads);
  const reading = joinReading(service.parts, googleWith(options.quotas));

  const fixture = {
    simulator,
    control: simulator.control,
    service,
    call: service.call,
    reading,
    pool: reading.pool,
    /** Sets both clocks to an instant, from which they continue. */
    async at(instant: string): Promise<void> {
      await simulator.control.setClock(instant);
      clock.shiftMs = Date.parse(instant) - Date.now();
    },
    async wait(seconds: number): Promise<void> {
      await simulator.control.advanceClock(seconds);
      clock.shiftMs += seconds * 1_000;
    },
    now: () => new Date(Date.now() + clock.shiftMs),
    /** Connects a vendor account to a user, by default to a new user. */
    async connect(account: string, user?: string): Promise<{ userId: string; userKey: number; connectionId: string }> {
      const userId = user ?? (await service.call('POST', '/api/v1/users', {})).body.id;
      const authorized = await service.call('GET', `/api/v1/oauth/google/authorize?user_id=${userId}`);
      const address = new URL(authorized.body.authorization_url);
      address.searchParams.set('login_hint', account);
      const consented = await fetch(address, { redirect: 'manual' });
      const { pathname, search } = new URL(consented.headers.get('location') ?? '');
      const back = await fetch(`${service.url}${pathname}${search}`, { redirect: 'manual' });
      if (back.status !== 303) throw new Error(`the callback answered ${back.status}: ${await back.text()}`);
      const { rows } = await reading.pool.query<{ id: string; user_key: number }>(
        `select c.id, c.user_key from connection c join health_user u using (user_key) where u.id = $1`,
        [userId],
      );
      const row = rows[0];
      if (!row) throw new Error('no connection was made');
      // Uses the test's clock, which differs from the database's clock.
      await reading.pool.query('update connection set consented_at = $2 where id = $1', [row.id, fixture.now()]);
      return { userId, userKey: row.user_key, connectionId: row.id };
    },
    /** Syncs new data, as the scheduled job does. @returns the run */
    async pull({ userId, userKey }: { userId: string; userKey: number }) {
      const { body } = await service.call('POST', `/api/v1/providers/google/users/${userId}/sync`);
      await reading.settle();
      return (await reading.runsOf(userKey)).find(({ run_id }) => run_id === body.run_id);
    },
    /** Returns stored samples of a series, oldest first. */
    async samples(userKey: number, code: string) {
      const { rows } = await reading.pool.query<{
        start: Date;
        value: number;
        duration_ms: number | null;
        kind: number;
      }>(
        `select start_at as start, value, duration_ms, slot >> 29 as kind from sample
          where user_key = $1 and type_id = $2 order by start_at, kind`,
        [userKey, typeId(code)],
      );
      return rows.map(({ start, value, duration_ms, kind }) => ({
        start: start.toISOString(),
        value,
        kind,
        minutes: (duration_ms ?? 0) / MS_PER_MINUTE,
      }));
    },
    /** Returns a series by local date from the roll-ups. */
    async days(userKey: number, code: string): Promise<Record<string, { sum: number | null; total: number | null }>> {
      const { rows } = await reading.pool.query<{ date: string; sum: number | null; total: number | null }>(
        `select local_date as date, sum(sample_sum) as sum, sum(total_sum) as total from day_value
          where user_key = $1 and type_id = $2 group by local_date order by local_date`,
        [userKey, typeId(code)],
      );
      return Object.fromEntries(rows.map(({ date, sum, total }) => [date, { sum, total }]));
    },
    async nights(userKey: number) {
      const { rows } = await reading.pool.query(
        `select id, start_at as start, end_at as end, wake_date, asleep_seconds, external_id from sleep_session
          where user_key = $1 order by start_at`,
        [userKey],
      );
      return rows;
    },
    async close() {
      await service.stop();
      await simulator.close();
    },
  };
  return fixture;
}

export type GoogleFixture = Awaited<ReturnType<typeof openGoogleFixture>>;

function configured(
  simulator: GoogleSimulator,
  { granularity, values, settings, quotas, historicalSyncOnConnect = false }: GoogleFixtureOptions,
  clock: { shiftMs: number },
): ReadingOptions {
  const { api, authorize, token, revoke, userInfo, keyset } = simulator.urls;
  return {
    granularity,
    settings,
    historicalSyncOnConnect,
    provider: googleWith(quotas),
    configuration: {
      clientId: simulator.client.id,
      clientSecret: simulator.client.secret,
      addresses: { api, authorize, token, revoke, userInfo, keyset },
      webhookSecret: WEBHOOK_SECRET,
      values: { USE_RECONCILE: 'true', ...values },
    },
    now: () => new Date(Date.now() + clock.shiftMs),
  };
}

function googleWith(quotas: VendorQuotas = NO_LIMIT): Provider {
  const google = providerById('google');
  if (!google?.cloud) throw new Error('google has no cloud');
  return { ...google, cloud: { ...google.cloud, quotas } };
}

function typeId(code: string): number {
  const found = seriesTypeByCode(code as SeriesCode);
  return found.id;
}
