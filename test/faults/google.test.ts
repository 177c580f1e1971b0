import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MS_PER_HOUR } from '@healthd/model';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { vendorSettings } from '../support/simulated-vendor.js';
import { FaultProcess, faultEnvironment } from './fault-processes.js';
import { backfillUnderQuota, QUOTA_DAYS } from './google-quota.js';
import { expectTruth, FAULTS, type VendorUser } from './google-users.js';

/** A few users and kills in `npm test`, 200 users in `npm run faults -- google`. */
const USER_COUNT = Number(process.env.HEALTHD_FAULTS_USERS ?? 2);
const KILLS = Number(process.env.HEALTHD_FAULTS_GOOGLE_KILLS ?? 3);
const LIMIT_MS = 300_000 + USER_COUNT * 15_000 + KILLS * 10_000;
/** Seconds between polls. Long enough that polling all users leaves time for all other work on one machine. */
const POLL = String(Math.max(60, USER_COUNT * 3));
const DAYS = 3;
/** The vendor's limit per user and minute. */
const VENDOR_QUOTA = 300;

const ADMIN = { ADMIN_EMAIL: 'ada@clinic.example', ADMIN_PASSWORD: 'correct horse battery' };

interface World {
  database: TestDatabase;
  simulator: GoogleSimulator;
  api: FaultProcess;
  worker: FaultProcess;
  users: VendorUser[];
  /** Start of the vendor's clock in the past. The clock then catches up. */
  startMs: number;
  folder: string;
}

/**
 * Runs the tests concurrently in the short form: one test waits for a minute to pass, and the other test waits for
 * users' runs.
 */
const each = process.env.HEALTHD_FAULTS_USERS === undefined ? it.concurrent : it;

each(`keeps a backfill of ${QUOTA_DAYS} days next to live pulls within the user's quota`, backfillUnderQuota, 500_000);

each(
  `stores the vendor's data for ${USER_COUNT} users within the quota despite repeated faults`,
  async () => {
    const world = await openWorld();
    const { simulator, api, worker, users, database } = world;
    const { control } = simulator;
    try {
      await connectAll(world);
      await webhookMode(world);
      for (const fault of FAULTS) await control.addFault({ ...fault, times: null });
      await passTime(world);
      await control.clearFaults();
      await recover(world);
      const sinceMs = world.startMs - (DAYS - 2) * 24 * MS_PER_HOUR;
      let compared = 0;
      for (const user of users) compared += await expectTruth(database, control, user, sinceMs);
      const peaks = Object.values(await control.peakPerMinute());
      const fired = (await control.requests({ role: 'api' })).length;
      console.log(
        JSON.stringify({
          users: users.length,
          kills: api.kills + worker.kills,
          compared,
          requests: fired,
          peak: Math.max(...peaks),
        }),
      );
      expect(compared).toBeGreaterThan(users.length * 50);
      expect(Math.max(...peaks)).toBeLessThanOrEqual(VENDOR_QUOTA);
      expect(api.kills + worker.kills).toBeGreaterThanOrEqual(KILLS);
      expect([...api.endedAlone, ...worker.endedAlone]).toEqual([]);
      // The vendor's count shows that the service exceeded no quota: every 429 is a planned fault.
      const rejectedRequests = (await control.requests({ role: 'api', status: 429 })).filter(
        ({ fault }) => fault === undefined,
      );
      expect(rejectedRequests).toEqual([]);
    } finally {
      await closeWorld(world);
    }
  },
  LIMIT_MS,
);

async function openWorld(): Promise<World> {
  const database = await createTestDatabase({ maxConnections: 4 });
  const folder = await mkdtemp(join(tmpdir(), 'healthd-google-'));
  const startMs = Date.now() - 8 * MS_PER_HOUR;
  const simulator = await startGoogleSimulator({ autoConsent: true, now: new Date(startMs).toISOString() });
  const keyFile = join(folder, 'operator.json');
  await writeFile(keyFile, JSON.stringify(await simulator.control.serviceAccountKey()));
  const port = String(await freePort());
  const env = {
    ...faultEnvironment(database.url, folder, undefined),
    ...ADMIN,
    ...vendorSettings(simulator),
    CLOUDHEALTH_PROJECT_ID: simulator.projectNumber,
    CLOUDHEALTH_SERVICE_ACCOUNT_FILE: keyFile,
    CLOUDHEALTH_WEBHOOK_SECRET: 'between the vendor and us',
    API_BASE_URL: `http://127.0.0.1:${port}`,
    HISTORICAL_SYNC_ON_CONNECT: 'false',
    SYNC_INTERVAL_SECONDS: POLL,
    WEBHOOK_POLL_INTERVAL_SECONDS: POLL,
    JOB_CONCURRENCY: '24',
  };
  const api = new FaultProcess('api', { ...env, PORT: port });
  const worker = new FaultProcess('worker', env);
  await api.start();
  await worker.start();
  return { database, simulator, api, worker, users: [], startMs, folder };
}

async function call(world: World, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${world.api.url}${path}`, {
    method,
    headers: { 'X-Service-API-Key': world.api.apiKey ?? '', 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  if (response.status >= 400) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
}

async function connectAll(world: World): Promise<void> {
  const { control } = world.simulator;
  for (let index = 0; index < USER_COUNT; index++) {
    const account = `person-${index}`;
    await control.addAccount({ id: account, timeZone: index % 2 === 0 ? 'Europe/Berlin' : 'America/Los_Angeles' });
    await control.seedHistory(account, { seed: index + 1, days: DAYS + 1 });
    const userId = (await call(world, 'POST', '/api/v1/users', {})).body.id as string;
    const authorized = await call(world, 'GET', `/api/v1/oauth/google/authorize?user_id=${userId}`);
    const address = new URL(authorized.body.authorization_url);
    address.searchParams.set('login_hint', account);
    const consented = await fetch(address, { redirect: 'manual' });
    const back = await fetch(consented.headers.get('location') ?? '', { redirect: 'manual' });
    expect(back.status).toBe(303);
    world.users.push({ account, userId });
    await call(world, 'POST', `/api/v1/providers/google/users/${userId}/sync/historical?days=${DAYS}`);
  }
}

/** Switches to webhook mode as the operator does. From then on the vendor reports changes. */
async function webhookMode(world: World): Promise<void> {
  const form = new URLSearchParams({ username: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD });
  const login = await fetch(`${world.api.url}/api/v1/auth/login`, { method: 'POST', body: form });
  const { access_token } = (await login.json()) as { access_token: string };
  const developer = { Authorization: `Bearer ${access_token}` };
  await call(world, 'PUT', '/api/v1/oauth/providers/google', { live_sync_mode: 'webhook' }, developer);
  for (let wait = 0; (await world.simulator.control.subscribers()).length === 0; wait++) {
    if (wait > 200) throw new Error('no subscriber was registered');
    await sleep(100);
  }
}

/** Advances the vendor's clock by hours within minutes, while processes are killed and tokens expire. */
async function passTime(world: World): Promise<void> {
  const { simulator, api, worker, users } = world;
  const { control } = simulator;
  let turn = 0;
  while (Date.parse(await control.now()) < Date.now() - 1_000 || api.kills + worker.kills < KILLS) {
    turn += 1;
    const behindSeconds = (Date.now() - Date.parse(await control.now())) / 1_000;
    if (behindSeconds > 1) await control.advanceClock(Math.min(behindSeconds, 1_800));
    for (const { account } of users) await control.growHistory(account);
    if (turn % 4 === 0) await control.expireAccessTokens();
    if (api.kills + worker.kills < KILLS) {
      const victim = turn % 3 === 0 ? api : worker;
      if (victim.isUp) await victim.kill();
      await victim.start();
    }
    await sleep(500 + Math.random() * 1_000);
  }
}

/** Restarts dead processes, delivers pending notifications, and reads all users again. */
async function recover(world: World): Promise<void> {
  const { api, worker, database, users, simulator } = world;
  for (const one of [api, worker]) if (!one.isUp) await one.start();
  for (let tries = 0; tries < 20; tries++) {
    if ((await simulator.control.flushDeliveries()).pending === 0) break;
    await sleep(200);
  }
  await idle(database);
  const headers = { 'X-Service-API-Key': api.apiKey ?? '' };
  for (const { userId } of users) {
    for (const path of ['sync', `sync/historical?days=${DAYS}`]) {
      await fetch(`${api.url}/api/v1/providers/google/users/${userId}/${path}`, { method: 'POST', headers });
    }
  }
  await idle(database);
}

async function idle({ pool }: TestDatabase): Promise<void> {
  const until = Date.now() + LIMIT_MS;
  for (;;) {
    await pool.query("update pull_run set resume_at = now() where resume_at > now() + interval '2 seconds'");
    const { rows } = await pool.query<{ open: number }>(
      `select (select count(*) from pull_run where kind <> 'live')
            + (select count(*) from provider_notification where state = 'received') as open`,
    );
    if (Number(rows[0]?.open) === 0) return;
    if (Date.now() > until) throw new Error(`runs stay open: ${JSON.stringify(rows[0])}`);
    await sleep(250);
  }
}

async function closeWorld({ database, simulator, api, worker, folder }: World): Promise<void> {
  await Promise.all([api.kill(), worker.kill()]);
  await simulator.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}
