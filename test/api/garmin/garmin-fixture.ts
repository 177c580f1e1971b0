import { idleTokensJob } from '@healthd/daemon/connections';
import { sampleKind } from '@healthd/daemon/platform/database';
import { type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { type GarminSimulatorOptions, startGarminSimulator } from '@healthd/simulators';
import { type ConnectedUser, openVendorFixture, type VendorFixtureOptions } from '../../support/vendor-fixture.js';

export type { ConnectedUser } from '../../support/vendor-fixture.js';

export type GarminFixtureOptions = VendorFixtureOptions & { simulator?: GarminSimulatorOptions };

/** Starts a simulated Garmin and the service. Tests trigger delivery reads and exports manually. */
export async function openGarminFixture({ simulator: simulatorOptions, ...options }: GarminFixtureOptions = {}) {
  const simulator = await startGarminSimulator({
    autoConsent: true,
    limits: { requestsPerMinute: 10_000 },
    ...simulatorOptions,
  });
  const vendor = await openVendorFixture('garmin', simulator, options);
  const { pool, service } = vendor;
  return {
    ...vendor,
    address: `${service.url}/api/v1/providers/garmin/webhooks?token=${simulator.settings.WEBHOOK_TOKEN}`,
    newUser: async (): Promise<string> => (await service.call('POST', '/api/v1/users', {})).body.id,
    /** Sends a user's browser to the vendor and back. @returns the response of the callback */
    async consent(account: string, userId: string): Promise<Response> {
      const authorized = await service.call('GET', `/api/v1/oauth/garmin/authorize?user_id=${userId}`);
      const page = new URL(authorized.body.authorization_url);
      page.searchParams.set('login_hint', account);
      const consented = await fetch(page, { redirect: 'manual' });
      const { pathname, search } = new URL(consented.headers.get('location') ?? '');
      return fetch(`${service.url}${pathname}${search}`, { redirect: 'manual' });
    },
    /** Returns stored values of a series, oldest first. @param kind code of the sample kind; default: all kinds */
    async samples(userKey: number, code: SeriesCode, kind?: number) {
      const { rows } = await pool.query<{ at: Date; value: number }>(
        `select start_at as at, value from sample
          where user_key = $1 and type_id = $2 and ($3::int is null or ${sampleKind()} = $3) order by start_at`,
        [userKey, seriesTypeByCode(code).id, kind ?? null],
      );
      return rows.map(({ at, value }) => ({ atMs: at.getTime(), value }));
    },
    async nights(userKey: number) {
      const { rows } = await pool.query(
        `select id, external_id, start_at, end_at, is_nap, asleep_seconds, awake_seconds from sleep_session
          where user_key = $1 order by start_at`,
        [userKey],
      );
      return rows;
    },
    async workouts(userKey: number) {
      const { rows } = await pool.query(
        `select external_id, type, start_at, end_at, distance_meters, calories_kcal, user_entered, events from workout
          where user_key = $1 order by start_at`,
        [userKey],
      );
      return rows;
    },
    /** Runs the daily renewal of idle tokens. */
    async renewIdleTokens(): Promise<void> {
      const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
      const signal = new AbortController().signal;
      const job = idleTokensJob({ ...vendor.reading.connections, pool }, [vendor.reading.provider]);
      await job.run({}, { signal, attempt: 1, log, touch: async () => {}, again: async () => true });
    },
    /** Returns the number of deliveries in each state. */
    async deliveries(): Promise<Record<string, number>> {
      const { rows } = await pool.query<{ state: string; n: number }>(
        'select state, count(*)::int as n from webhook_delivery group by state',
      );
      return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
    },
    async backfill({ userId }: ConnectedUser) {
      return (await service.call('GET', `/api/v1/providers/garmin/users/${userId}/backfill/status`)).body;
    },
  };
}

export type GarminFixture = Awaited<ReturnType<typeof openGarminFixture>>;
