import { pushJob } from '@healthd/daemon/ingest/push';
import { MS_PER_DAY, MS_PER_SECOND, type ProviderId } from '@healthd/model';
import { PROVIDERS, type Provider, PushReader } from '@healthd/providers';
import {
  startGarminSimulator,
  startGoogleSimulator,
  startOuraSimulator,
  startPolarSimulator,
  startStravaSimulator,
  startSuuntoSimulator,
  startUltrahumanSimulator,
  startWhoopSimulator,
} from '@healthd/simulators';
import { joinReading } from '../../support/reading-fixture.js';
import { startTestService } from '../../support/service.js';
import { AWAY, RANGE } from './days.js';
import { garminItems } from './garmin-items.js';
import { googlePoints } from './google-points.js';
import { ouraDocuments } from './oura-documents.js';
import { polarItems } from './polar-items.js';
import { applePush, samsungPush } from './pushed.js';
import { stravaActivities } from './strava-activities.js';
import { suuntoInput } from './suunto-input.js';
import { ultrahumanDays } from './ultrahuman-days.js';
import { MEASURED } from './vitals.js';
import { whoopRecords } from './whoop-records.js';

/** All reporting providers, in order of priority. */
export const PREFERRED = [
  'garmin',
  'apple',
  'oura',
  'whoop',
  'google',
  'samsung',
  'ultrahuman',
  'strava',
  'polar',
  'suunto',
] as const;
export type Reporter = (typeof PREFERRED)[number];

const UNBOUNDED = 1_000_000;
/** Request limits per application, if configurable. */
const AMPLE = {
  APPLICATION_REQUESTS_PER_MINUTE: String(UNBOUNDED),
  APPLICATION_REQUESTS_PER_WEEK: String(UNBOUNDED),
};
const LOG = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Starts the service with all simulated vendors. A test triggers each arrival of a user's reports. */
export async function openTenProviders() {
  const strava = { perQuarter: UNBOUNDED, perDay: UNBOUNDED, readsPerQuarter: UNBOUNDED, readsPerDay: UNBOUNDED };
  const vendors = {
    garmin: await startGarminSimulator({ autoConsent: true, limits: { requestsPerMinute: UNBOUNDED } }),
    google: await startGoogleSimulator({ autoConsent: true, quota: { perUser: UNBOUNDED } }),
    oura: await startOuraSimulator({ autoConsent: true, limits: { perFiveMinutes: UNBOUNDED } }),
    strava: await startStravaSimulator({ autoConsent: true, limits: strava }),
    polar: await startPolarSimulator({ autoConsent: true, limits: { perQuarter: UNBOUNDED, perDay: UNBOUNDED } }),
    suunto: await startSuuntoSimulator({ autoConsent: true, limits: { perMinute: UNBOUNDED, perWeek: UNBOUNDED } }),
    ultrahuman: await startUltrahumanSimulator({ autoConsent: true }),
    whoop: await startWhoopSimulator({ autoConsent: true, limits: { perMinute: UNBOUNDED, perDay: UNBOUNDED } }),
  };
  const isCloud = (id: ProviderId): id is keyof typeof vendors => Object.hasOwn(vendors, id);
  const providers = PROVIDERS.map(withoutBounds);
  const service = await startTestService({
    settings: {
      providers: Object.fromEntries(
        providers.flatMap(({ id, cloud }) => {
          if (!cloud || !isCloud(id)) return [];
          const { urls, client } = vendors[id];
          const { origin: _, ...addresses } = urls;
          const configuration = {
            clientId: client.id,
            clientSecret: client.secret,
            scope: cloud.oauth.defaultScope,
            addresses: { ...cloud.addresses, ...addresses },
            webhookSecret: 'a secret of the webhook',
            values:
              id === 'suunto'
                ? { ...vendors.suunto.settings, ...AMPLE }
                : id === 'garmin'
                  ? vendors.garmin.settings
                  : {},
          };
          return [[id, configuration]];
        }),
      ),
      historicalSyncOnConnect: false,
    },
    overrides: { providers, tryEnqueue: async () => true },
  });
  const { pool, parts, call } = service;
  const [first] = providers;
  if (!first) throw new Error('there is no provider');
  const reading = joinReading(parts, first);
  const reader = new PushReader();
  const job = pushJob({ pool, runs: parts.runs, writer: parts.writer, reader, maxBytes: 20 * 2 ** 20 });
  await vendors.garmin.control.setPushTarget({
    url: `${service.url}/api/v1/providers/garmin/webhooks`,
    deliveries: 'held',
  });
  const developer = (await service.logIn()).call;

  /** Sends a phone's data and processes it. */
  async function push(userId: string, body: object): Promise<void> {
    const { status } = await call('POST', `/api/v1/sdk/users/${userId}/sync`, body);
    if (status !== 202) throw new Error(`the push was answered with ${status}`);
    const { rows } = await pool.query<{ user_key: number }>('select user_key from health_user where id = $1', [userId]);
    for (const row of rows) {
      await job.run(row, {
        signal: new AbortController().signal,
        attempt: 1,
        log: LOG,
        touch: async () => {},
        again: async () => true,
      });
    }
  }

  async function connect(userId: string, id: keyof typeof vendors): Promise<void> {
    const authorized = await call('GET', `/api/v1/oauth/${id}/authorize?user_id=${userId}`);
    const page = new URL(authorized.body.authorization_url);
    page.searchParams.set('login_hint', userId);
    const consented = await fetch(page, { redirect: 'manual' });
    const { pathname, search } = new URL(consented.headers.get('location') ?? '');
    const back = await fetch(`${service.url}${pathname}${search}`, { redirect: 'manual' });
    if (back.status !== 303) throw new Error(`the callback of ${id} answered ${back.status}: ${await back.text()}`);
  }

  /** Creates an account of this user at every vendor, with all data. */
  async function report(userId: string): Promise<void> {
    const account = { id: userId, timeZone: AWAY.zone };
    const { garmin, google, oura, polar, strava, suunto, ultrahuman, whoop } = vendors;
    await garmin.control.addAccount(account);
    await google.control.addAccount(account);
    await google.control.addPoints(userId, googlePoints(), { notify: false });
    await oura.control.addAccount(account);
    await oura.control.setInfo(userId, { weight: null, height: null });
    await oura.control.put(userId, ouraDocuments(), { notify: false });
    await polar.control.addAccount(account);
    await polar.control.put(userId, polarItems(), { notify: false });
    await strava.control.addAccount(account);
    await strava.control.put(userId, { activities: stravaActivities() }, { notify: false });
    await suunto.control.addAccount(account);
    await suunto.control.put(userId, suuntoInput(), { notify: false });
    await ultrahuman.control.addAccount(account);
    // The expected figures need all stages and readings, and the test compares users, so all accounts have the same
    // forms.
    await ultrahuman.control.setForms({
      night: 'stages',
      saturation: 'readings',
      score: 'inside',
      hasMidnight: true,
      isAway: false,
    });
    await ultrahuman.control.putDays(userId, ultrahumanDays());
    const { weight, height } = MEASURED.whoop;
    await whoop.control.addAccount({
      ...account,
      body: { height_meter: height, weight_kilogram: weight, max_heart_rate: 190 },
    });
    await whoop.control.put(userId, whoopRecords(), { notify: false });
  }

  const fixture = {
    vendors,
    service,
    call,
    developer,
    pool,
    settle: reading.settle,
    push,
    /** Creates a user with an account at every vendor and no connection. */
    async newUser(): Promise<string> {
      const userId: string = (await call('POST', '/api/v1/users', {})).body.id;
      await report(userId);
      return userId;
    },
    /**
     * Delivers all reports of one provider. Connects the user before the first report.
     * @param again delivers the reports twice
     * @param reversed delivers Garmin's pushes in reverse order
     */
    async arrive(userId: string, id: Reporter, { again = false, reversed = false } = {}): Promise<void> {
      if (id === 'apple') return push(userId, applePush());
      if (id === 'samsung') return push(userId, samsungPush());
      const { body } = await call('GET', `/api/v1/users/${userId}/connections`);
      const connected = body.some((one: { provider: string }) => one.provider === id);
      if (!connected) await connect(userId, id);
      if (id === 'garmin') {
        await vendors.garmin.control.put(userId, garminItems());
        const sent = await vendors.garmin.control.flushPushes({ twice: again, reversed });
        if (sent.some(({ status }) => status !== 200)) throw new Error('a push of Garmin was refused');
        return reading.settle();
      }
      const since = Math.floor((Date.now() - 7 * MS_PER_DAY) / MS_PER_SECOND);
      for (let time = 0; time < (again ? 2 : 1); time++) {
        await call('POST', `/api/v1/providers/${id}/users/${userId}/sync?since=${since}`);
        await reading.settle();
      }
    },
    /** Reads all rows of a path. */
    async rows(userId: string, path: string): Promise<Row[]> {
      const { status, body } = await call(
        'GET',
        `/api/v1/users/${userId}${path}${path.includes('?') ? '&' : '?'}${RANGE}`,
      );
      if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
      return body.data;
    },
    /** Ranks the providers, best first. */
    async prefer(order: readonly string[]): Promise<void> {
      const priorities = order.map((provider, at) => ({ provider, priority: at + 1 }));
      const { status } = await developer('PUT', '/api/v1/priorities/providers', { priorities });
      if (status !== 200) throw new Error(`the priorities were answered with ${status}`);
    },
    async close() {
      reader.close();
      await service.stop();
      await Promise.all(Object.values(vendors).map((vendor) => vendor.close()));
    },
  };
  await fixture.prefer(PREFERRED);
  return fixture;
}

// biome-ignore lint/suspicious/noExplicitAny: tests access any member of any list's rows
export type Row = any;
export type TenProviders = Awaited<ReturnType<typeof openTenProviders>>;

function withoutBounds(provider: Provider): Provider {
  if (!provider.cloud) return provider;
  const quotas = { perUserAndMinute: UNBOUNDED, perApplicationAndMinute: UNBOUNDED };
  return { ...provider, cloud: { ...provider.cloud, quotas } };
}
