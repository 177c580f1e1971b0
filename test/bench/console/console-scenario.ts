import { createPool } from '@healthd/daemon/platform/database';
import type { Browser } from 'playwright';
import { startChromium } from '../../support/chromium.js';
import { type DaemonProcess, startDaemon } from '../daemon-process.js';
import { type StoredUsers, storeUsers } from '../read/stored-users.js';
import { median, quantile } from '../report.js';
import type { Scenario, ScenarioResult, Verdict } from '../scenario.js';
import { DEVELOPER, LINE, logIn, networkOf, type Opened, open, repeatRequests, step } from './browser-pages.js';
import { storePeople } from './stored-users.js';

/** Stored samples per generated user. The generated users themselves have no samples. */
const SAMPLES_A_PERSON = 100;
const USERS_OPENED = 30;
const THROTTLED_VISITS = 5;
const LIST_VISITS = 5;
const USER_TARGET_MS = 300;
const COLD_TARGET_MS = 2_000;
const REPEATED_TARGET_MS = 1_000;

/** Pages that list data of all users, each with a text that appears only with the response. */
const LISTS: readonly [name: string, path: string, text: string][] = [
  ['home', '/', 'Samples per day'],
  ['users, newest first', '/users', 'healthctl users list'],
  ['users, search', '/users?search=person77123', 'healthctl users list --search person77123'],
  ['users by last sync', '/users?sort=last_synced_at:desc', '--sort last_synced_at --order desc'],
  ['users with a failing connection', '/users?provider=oura&connection=failing', '--connection failing'],
  ['runs that failed', '/runs?status=failed', 'healthctl runs list --status failed'],
  ['runs of a provider', '/runs?provider=oura', 'healthctl runs list --provider oura'],
  ['connections that fail', '/connections?state=failing', 'healthctl connections list --state failing'],
  ['audit trail, refused', '/audit?outcome=denied', 'healthctl audit list --outcome denied'],
  ['settings with storage', '/settings', 'Archival and retention'],
];

interface Figures {
  samples: number;
  users: number;
  /** Milliseconds of each navigation to a user's page. */
  userSteps: number[];
  /** Milliseconds of the same requests, sent in parallel. */
  userFloors: number[];
  largeUserMs: number;
  lists: { name: string; ms: number[] }[];
  cold: Opened[];
  repeated: Opened[];
}

export const consoleScenario: Scenario = {
  name: 'console',
  help: 'pages of the console in Chromium with 100,000 users and 10 million samples, here and on a throttled line',
  async run({ samples }) {
    const started = await startChromium();
    if (!started.browser) throw new Error(`the console is measured in Chromium: ${started.reason}`);
    const daemon = await startDaemon({
      env: { ADMIN_EMAIL: DEVELOPER.email, ADMIN_PASSWORD: DEVELOPER.password },
    });
    try {
      return resultOf(await measure(started.browser, daemon, Math.max(...samples)));
    } finally {
      await started.browser.close();
      await daemon.stop();
    }
  },
};

async function measure(browser: Browser, daemon: DaemonProcess, samples: number): Promise<Figures> {
  const users = Math.round(samples / SAMPLES_A_PERSON);
  const pool = createPool({ url: daemon.databaseUrl, max: 1 });
  process.stderr.write(`Storing ${users.toLocaleString('en-US')} users …\n`);
  await storePeople(pool, users).finally(() => pool.end());
  process.stderr.write(`Storing ${samples.toLocaleString('en-US')} samples of 200 of them …\n`);
  const stored = await storeUsers(daemon, samples);
  process.stderr.write('Opening pages …\n');
  return {
    samples: stored.samples,
    users: users + stored.others.length + 1,
    ...(await stepsToUsers(browser, daemon, stored)),
    lists: await stepsToLists(browser, daemon),
    ...(await throttledVisits(browser, daemon, stored)),
  };
}

async function stepsToUsers(browser: Browser, daemon: DaemonProcess, { large, others }: StoredUsers) {
  const { context, page } = await logIn(browser, daemon);
  const userSteps: number[] = [];
  const userFloors: number[] = [];
  for (const { id } of others.slice(0, USERS_OPENED)) {
    userFloors.push(
      await repeatRequests(page, async () => userSteps.push(await step(page, `/users/${id}`, activityOf(id)))),
    );
  }
  const largeUserMs = await step(page, `/users/${large.id}`, activityOf(large.id));
  await context.close();
  return { userSteps, userFloors, largeUserMs };
}

/**
 * Returns a command that the page shows below the days of activity. The page shows it early, so `step` also waits for
 * the loading parts.
 */
const activityOf = (id: string) => `healthctl data activity --user ${id}`;

async function stepsToLists(browser: Browser, daemon: DaemonProcess): Promise<Figures['lists']> {
  const { context, page } = await logIn(browser, daemon);
  const lists: Figures['lists'] = [];
  for (const [name, path, text] of LISTS) {
    const ms: number[] = [];
    for (let visit = 0; visit < LIST_VISITS; visit++) {
      // A new document drops all state of the previous visit.
      await page.goto(`${daemon.url}/coverage`);
      await page.getByRole('heading', { name: 'Coverage' }).waitFor();
      ms.push(await step(page, path, text));
    }
    lists.push({ name, ms });
  }
  await context.close();
  return lists;
}

async function throttledVisits(browser: Browser, daemon: DaemonProcess, { others }: StoredUsers) {
  const session = await logIn(browser, daemon);
  const [cold, repeated]: [Opened[], Opened[]] = [[], []];
  for (const { id } of others.slice(USERS_OPENED, USERS_OPENED + THROTTLED_VISITS)) {
    const storageState = await session.context.storageState();
    await session.context.close();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState });
    const page = await context.newPage();
    const network = await networkOf(context, page, true);
    cold.push(await open(page, network, `${daemon.url}/users/${id}`, activityOf(id)));
    await page.waitForLoadState('networkidle');
    repeated.push(await open(page, network, `${daemon.url}/users/${id}`, activityOf(id)));
    session.context = context;
  }
  await session.context.close();
  return { cold, repeated };
}

const ms = (value: number) => value.toFixed(0);

/** Returns the minimum time on the throttled network: one round trip and the transfer of the bytes. */
function lineMs({ bytes }: Opened): number {
  return LINE.roundTripMs + (bytes * 8 * 1_000) / LINE.bitsPerSecond;
}

function resultOf(figures: Figures): ScenarioResult {
  const { userSteps, userFloors, cold, repeated } = figures;
  const throttled = (name: string, visits: readonly Opened[]) => {
    const times = visits.map((visit) => visit.ms);
    const floor = median(visits.map(lineMs));
    const kb = median(visits.map(({ bytes }) => bytes)) / 1_000;
    return [
      name,
      ms(median(times)),
      ms(Math.max(...times)),
      kb.toFixed(0),
      ms(floor),
      (floor / median(times)).toFixed(2),
    ];
  };
  const verdict = (what: string, figure: number, target: number): Verdict => ({
    what,
    figure,
    digits: 0,
    unit: ' ms',
    bound: 'most',
    target,
  });
  const medianOf = (visits: readonly Opened[]) => median(visits.map((visit) => visit.ms));
  return {
    tables: [
      {
        title: `Pages of the console, ms (${figures.users} users, ${figures.samples} samples)`,
        rows: [
          ['a step inside the console', 'median', 'longest', 'floor', 'ratio'],
          [
            'page of a user',
            ms(median(userSteps)),
            ms(Math.max(...userSteps)),
            ms(median(userFloors)),
            (median(userFloors) / median(userSteps)).toFixed(2),
          ],
          ['page of the user with most samples', ms(figures.largeUserMs), ms(figures.largeUserMs), '', ''],
          ...figures.lists.map(({ name, ms: times }) => [name, ms(median(times)), ms(Math.max(...times)), '', '']),
        ],
      },
      {
        title: `Page of a user opened by its address, ${LINE.bitsPerSecond / 1e6} Mbit/s and ${LINE.roundTripMs} ms`,
        rows: [
          ['', 'median', 'longest', 'kB', 'floor', 'ratio'],
          throttled('nothing cached', cold),
          throttled('again', repeated),
        ],
      },
    ],
    verdicts: [
      verdict('page of a user, p95', quantile(userSteps, 0.95), USER_TARGET_MS),
      verdict('page of a user, throttled, nothing cached', medianOf(cold), COLD_TARGET_MS),
      verdict('page of a user, throttled, again', medianOf(repeated), REPEATED_TARGET_MS),
    ],
    figures,
  };
}
