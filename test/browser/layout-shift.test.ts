import {
  createApiKey,
  createUser,
  listSleepSessions,
  listUserSyncRuns,
  listWorkouts,
  updateProviderSettings,
} from '@healthd/contract';
import { MS_PER_DAY } from '@healthd/model';
import {
  type GoogleSimulator,
  type StravaSimulator,
  startGoogleSimulator,
  startStravaSimulator,
  writeExport,
} from '@healthd/simulators';
import type { Page, Request } from 'playwright';
import { describe, expect, it } from 'vitest';
import { ended, upload } from '../e2e/imports.js';
import { AMPLE_QUOTA, stravaSettings } from '../support/simulated-vendor.js';
import { consoleTests } from './console-tests.js';
import { developerClient } from './developer-client.js';
import { startWithGoogle } from './google-service.js';
import { GoogleUsers } from './google-users.js';

/** Limit below which Chromium considers a page stable. */
const MAX_SHIFT = 0.1;
/** Number of pages that load concurrently. */
const AT_ONCE = 4;
const USER_COUNT = 12;
/** Number of consecutive quiet checks, 50 ms apart, after which a page counts as loaded. */
const QUIET_LOOKS = 5;
const day = (offset: number) => new Date(Date.now() + offset * MS_PER_DAY).toISOString().slice(0, 10);

const PAGES = [
  ['/', '/users', '/users?search=no', '/connections', '/runs?days=7', '/audit?days=7', '/coverage'],
  [
    '/providers',
    '/providers/google',
    '/providers/whoop',
    '/providers/strava',
    '/priorities',
    '/api-keys',
    '/applications',
    '/developers',
  ],
  ['/settings', '/trouble?provider=google&cause=vendor_failing', '/erasures/1', '/providers/none'],
].flat();
const TABS = [
  ['activity', `activity/${day(-3)}`, 'sleep', 'workouts?days=7', 'health?days=7', 'days', 'data', 'connections'],
  ['series?type=heart_rate&days=1', 'series?type=steps&days=7', 'runs'],
].flat();

/** Records content shifts without user input. */
const OBSERVE = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const nodes = sources.map(({ node, previousRect: a, currentRect: b }) =>
        (node?.outerHTML ?? node?.textContent ?? '').slice(0, 90) + ' ' + [a.y, a.height, b.y, b.height].map(Math.round));
      if (!hadRecentInput) globalThis.shifts.push({ value, nodes });
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

interface Shift {
  value: number;
  nodes: string[];
}

describe('the layout of the console', () => {
  let vendor: GoogleSimulator;
  let strava: StravaSimulator;
  let paths: string[] = [];
  const tests = consoleTests(
    async () => {
      vendor = await startGoogleSimulator({ quota: AMPLE_QUOTA });
      strava = await startStravaSimulator();
      return startWithGoogle(vendor, {
        HISTORICAL_SYNC_ON_CONNECT: 'false',
        ...stravaSettings(strava),
        WHOOP_CLIENT_ID: 'id',
        WHOOP_CLIENT_SECRET: 'secret',
      });
    },
    async () => {
      await vendor?.close();
      await strava?.close();
    },
  );
  const users = new GoogleUsers(tests, () => vendor);

  /** Fills the service with users, keys, runs and a failing connection. Returns the URLs of the tested pages. */
  async function fill(): Promise<string[]> {
    const { daemon } = tests;
    const { client } = daemon;
    const developer = await developerClient(daemon);
    for (let index = 0; index < USER_COUNT; index++) {
      await client.call(createUser, { body: { first_name: 'Person', last_name: `without ${index}` } });
      const key = { name: `Key ${index}`, scopes: null, expires_at: null };
      if (index < 3) await developer.call(createApiKey, { body: key });
    }
    // These terms add attributions and withheld figures to the data. Strava's questions appear on the home page.
    const terms = {
      attribution: { value: 'Data by Apple', reason: 'Contract' },
      combine: { value: 'deny' as const, reason: 'Contract' },
    };
    await developer.call(updateProviderSettings, { params: { provider: 'apple' }, body: { terms } });
    const answer = { combine: { answer: 'accepted' as const } };
    await developer.call(updateProviderSettings, { params: { provider: 'apple' }, body: { terms: answer } });
    const user = await users.add();
    const path = `${daemon.home.folder}/export.zip`;
    const days = { endDate: day(-1), days: 10, timeZone: 'Europe/Berlin' };
    await writeExport(path, { seed: 5, density: 'light', ...days });
    const { run_id: imported } = await upload(daemon, user.id, path);
    await ended(daemon, imported);
    await users.connect(user);
    const failing = await users.add();
    await users.connect(failing);
    const match = { account: failing.account, dataType: 'steps' };
    await vendor.control.addFault({ kind: 'error', status: 503, match, times: null });
    await users.sync(failing.id);
    await users.causeIs(failing.id, 'vendor_failing');
    const params = { user_id: user.id };
    const query = { start_date: day(-10), end_date: day(0), limit: 10 };
    const { data: nights } = await client.call(listSleepSessions, { params, query });
    const { data: workouts } = await client.call(listWorkouts, { params, query });
    const [pulled] = await client.call(listUserSyncRuns, { params: { user_id: failing.id }, query: {} });
    const own = [...TABS, `sleep/${nights[0]?.id}`, `workouts/${workouts[0]?.id}`];
    return [
      ...PAGES,
      ...own.map((tab) => `/users/${user.id}/${tab}`),
      `/users/${failing.id}/connections`,
      `/users/${user.id}/series`,
      `/runs/${imported}`,
      `/runs/${pulled?.run_id}`,
    ];
  }

  it.each([1440, 390])(
    'does not shift while data arrives at a width of %i px',
    async (width) => {
      if (paths.length === 0) paths = await fill();
      const waiting = [...paths];
      const moved: unknown[] = [];
      const walk = async () => {
        const page = await tests.open('/', { width });
        await page.addInitScript(OBSERVE);
        const slowed = await slowResponses(page);
        for (let path = waiting.shift(); path; path = waiting.shift()) {
          await page.goto(`${tests.daemon.url}${path}`);
          await page.locator('#page').waitFor();
          await slowed.settled();
          const shifts = await page.evaluate<Shift[]>('shifts');
          const total = shifts.reduce((sum, { value }) => sum + value, 0);
          if (total >= MAX_SHIFT) moved.push({ path, total, shifts });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, walk));
      expect(moved).toEqual([]);
    },
    180_000,
  );

  it('shows the other parts of a page while one part hangs', async () => {
    const page = await tests.open('/settings');
    await page.route('**/api/v1/diagnosis*', () => undefined);
    await page.goto(tests.daemon.url);
    await page.getByRole('region', { name: 'Figures' }).waitFor({ timeout: 20_000 });
  }, 60_000);
});

/** Delays each resource individually, so that responses arrive one by one as over a slow network. */
async function slowResponses(page: Page): Promise<{ settled: () => Promise<void> }> {
  const pending = new Set<Request>();
  page.on('response', (response) => pending.delete(response.request()));
  page.on('requestfailed', (request) => pending.delete(request));
  await page.route('**/api/v1/**', async (route) => {
    pending.add(route.request());
    await new Promise((resolve) => setTimeout(resolve, delayOf(route.request().url())));
    await route.continue();
  });
  const isBusy = async () => pending.size > 0 || (await page.locator('#page [aria-busy="true"]').count()) > 0;
  return {
    settled: async () => {
      for (let quiet = 0; quiet < QUIET_LOOKS; quiet = (await isBusy()) ? 0 : quiet + 1) await page.waitForTimeout(50);
    },
  };
}

/** Returns 80 to 480 milliseconds, constant per resource. */
function delayOf(url: string): number {
  const name = new URL(url).pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
  return 80 + ([...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_009, 7) % 400);
}
