import { authorizeProvider, createUser } from '@healthd/contract';
import type { ProviderId } from '@healthd/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/daemon.js';
import {
  answerOf,
  endlessResponse,
  HOSTILE_ANSWERS,
  HOSTILE_DELIVERIES,
  type HostileResponse,
  MIDNIGHT_MS,
  stravaStreams,
} from '../support/hostile-responses.js';
import { type HostileVendor, startHostileVendor } from '../support/hostile-vendor.js';
import {
  type Cost,
  isLong,
  type MeasuredDaemon,
  startMeasuredDaemon,
  withoutPauses,
} from '../support/measured-daemon.js';

/** Allowance for the cost of little data and for measurement noise. */
const FLOOR_MS = 120;
const DATABASE_FLOOR_MS = 250;
/** Maximum growth of the cost for ten times the items. n log n grows at most 14 times from 320 items on. */
const MOST_GROWTH = 14;
const VENDORS = ['whoop', 'oura', 'strava', 'suunto', 'ultrahuman', 'polar'] as const;

const vendors = new Map<ProviderId, HostileVendor>();
let daemon: MeasuredDaemon;
let users = 0;
let bystander: string;
beforeAll(async () => {
  for (const id of VENDORS) vendors.set(id, await startHostileVendor(id));
  daemon = await startMeasuredDaemon({
    ...Object.assign({}, ...[...vendors.values()].map(({ env }) => env)),
    HISTORICAL_SYNC_ON_CONNECT: 'false',
    STRAVA_READ_STREAMS: 'true',
  });
  await vendorOf('suunto').control.setWebhook?.({ url: `${daemon.url}/api/v1/providers/suunto/webhooks` });
  bystander = (await daemon.client.call(createUser, {})).id;
}, 120_000);
afterAll(async () => {
  await daemon?.stop();
  for (const vendor of vendors.values()) await vendor.close();
});

test.each(HOSTILE_ANSWERS)('reads data from $vendor in n log n time: $name', async (hostile) => {
  const costs: Cost[] = [];
  for (const count of [hostile.most / 10, hostile.most]) {
    const { cost, errors } = await pulled(hostile, answerOf(hostile, count));
    expect(errors).toEqual([]);
    costs.push(cost);
  }
  expectBounded(`${hostile.vendor}, ${hostile.name}`, costs);
});

test.each(HOSTILE_ANSWERS)('fails a sync of 100,000 items from $vendor: $name', async (hostile) => {
  const { cost, errors } = await pulled(hostile, answerOf(hostile, 100_000));
  console.info(`${hostile.vendor}, ${hostile.name}, 100,000`, JSON.stringify(cost), errors.join());
  expect(errors).toEqual([expect.stringMatching(/^invalid_answer (too_many_items|200 too_large)$/)]);
  expect(isLong(cost)).toBe(false);
});

test.each(HOSTILE_ANSWERS.filter(({ pageOf }) => pageOf))('fails endless pages of $vendor: $name', async (hostile) => {
  const { cost, errors } = await pulled(hostile, endlessResponse(hostile, 100));
  expect(errors).toEqual(['invalid_answer too_many_items']);
  expect(isLong(cost)).toBe(false);
});

test('reads 200,000 values of Strava streams in n log n time', async () => {
  const costs: Cost[] = [];
  const stored: number[] = [];
  for (const count of [20_000, 200_000, 200_001]) {
    const { cost, errors, user } = await pulled({ vendor: 'strava', part: 'workouts' }, stravaStreams(count));
    expect(errors).toEqual([]);
    costs.push(cost);
    stored.push(await samplesOf(user));
  }
  expect(stored).toEqual([40_000, 400_000, 0]);
  expectBounded('strava, streams', costs.slice(0, 2));
  expect(costs.filter(isLong)).toEqual([]);
});

test.each(HOSTILE_DELIVERIES)(
  'reads deliveries of Suunto in n log n time: $name',
  async ({ name, counts, messagesOf }) => {
    const vendor = vendorOf('suunto');
    vendor.answer = () => undefined;
    const costs: Cost[] = [];
    const delivered = async (count: number) => {
      const { account } = await connected(vendor);
      const messages = messagesOf(count, account);
      return costOf(async () => {
        for (const message of messages) expect(await vendor.control.sendEvent?.(message)).toBe(200);
        await expect.poll(openDeliveries, { interval: 200, timeout: 60_000 }).toBe(0);
      });
    };
    for (const count of counts) costs.push(...(await withoutPauses(async () => [await delivered(count)])));
    expectBounded(`suunto deliveries, ${name}`, costs);
  },
);

const vendorOf = (id: ProviderId) => vendors.get(id) as HostileVendor;

function expectBounded(name: string, costs: Cost[]): void {
  console.info(name, JSON.stringify(costs));
  const [few, many] = [costs[0] as Cost, costs.at(-1) as Cost];
  expect(costs.filter(isLong)).toEqual([]);
  expect(many.ms).toBeLessThan(MOST_GROWTH * Math.max(FLOOR_MS, few.ms));
  expect(many.ofDatabaseMs).toBeLessThan(MOST_GROWTH * Math.max(DATABASE_FLOOR_MS, few.ofDatabaseMs));
}

interface Pulled {
  cost: Cost;
  /** Errors of the data types that the sync could not read. */
  errors: string[];
  user: string;
}

/** Syncs with a vendor that sends these responses. Repeats the sync if the event loop paused too long. */
async function pulled(hostile: PulledPart, respond: HostileVendor['answer']): Promise<Pulled> {
  const [pull] = await withoutPauses(async () => {
    const { cost, ...result } = await pullOnce(hostile, respond);
    return [{ ...cost, result }];
  });
  const { result, ...cost } = pull as NonNullable<typeof pull>;
  return { ...result, cost };
}

type PulledPart = Pick<HostileResponse, 'vendor' | 'part'>;

async function pullOnce({ vendor: id, part }: PulledPart, respond: HostileVendor['answer']): Promise<Pulled> {
  const vendor = vendorOf(id);
  vendor.answer = () => undefined;
  const { user } = await connected(vendor);
  vendor.answer = respond;
  const since = MIDNIGHT_MS / 1_000 - 86_400;
  const path = `providers/${id}/users/${user}/sync?async=false&since=${since}&data_type=${part}`;
  let types: { error?: string }[] = [];
  const cost = await costOf(async () => {
    const response = await call(path, { method: 'POST' });
    expect(response.status).toBe(200);
    const body = (await response.json()) as { status: string; data_types: Record<string, { error?: string }> };
    expect(body.status).not.toBe('in_progress');
    types = Object.values(body.data_types);
  });
  return { cost, errors: [...new Set(types.flatMap(({ error }) => error ?? []))], user };
}

async function connected(vendor: HostileVendor): Promise<{ user: string; account: string }> {
  const name = `person-${++users}`;
  const added = (await vendor.control.addAccount({ id: name, timeZone: 'UTC' })) as { userId: string };
  const user = (await daemon.client.call(createUser, {})).id;
  const authorized = await daemon.client.call(authorizeProvider, {
    params: { provider: vendor.id },
    query: { user_id: user },
  });
  const page = new URL(authorized.authorization_url);
  page.searchParams.set('login_hint', name);
  const consented = await fetch(page, { redirect: 'manual' });
  const back = new URL(consented.headers.get('location') ?? '');
  expect((await fetch(`${daemon.url}${back.pathname}${back.search}`, { redirect: 'manual' })).status).toBe(303);
  return { user, account: added.userId };
}

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${daemon.url}/api/v1/${path}`, { ...init, headers: { 'X-Service-API-Key': daemon.apiKey } });

const samplesOf = (user: string) =>
  inDatabase(daemon.home, async (pool) => {
    const { rows } = await pool.query(
      'select count(*)::int as stored from sample join health_user u using (user_key) where u.id = $1',
      [user],
    );
    return rows[0].stored as number;
  });

const openDeliveries = () =>
  inDatabase(daemon.home, async (pool) => {
    const { rows } = await pool.query("select count(*)::int as open from webhook_delivery where state <> 'done'");
    return rows[0].open as number;
  });

/** Measures the cost of work while a client requests another user's data. */
const costOf = (work: () => Promise<void>): Promise<Cost> =>
  daemon.costOf(async () => {
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        expect((await call(`users/${bystander}`)).status).toBe(200);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    })();
    await work().finally(() => (isOver = true));
    await others;
  });
