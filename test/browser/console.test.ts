import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiError } from '@healthd/client';
import { createUser, getActivitySummary, getSyncRun, getUser, listUserSyncRuns } from '@healthd/contract';
import type { ImportReport } from '@healthd/daemon/ingest/files';
import type { ItemCounts } from '@healthd/model';
import { MS_PER_DAY } from '@healthd/model';
import { writeExport } from '@healthd/simulators';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { importFile } from '../e2e/imports.js';
import { type Daemon, startDaemon } from '../support/daemon.js';
import { complaints } from './accessibility.js';
import { type ConsoleOptions, logIn, overflow, rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';

const TIME_ZONE = 'Europe/Warsaw';
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren';

describe('the console in a browser', () => {
  let daemon: Daemon;
  let exportPath: string;
  let demo: string;

  const tests = consoleTests(async () => {
    daemon = await startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } });
    // The console shows days of the user's zone, which may be one day ahead of UTC.
    const endDate = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE }).format(Date.now() - 2 * MS_PER_DAY);
    exportPath = join(daemon.home.folder, 'export.zip');
    await writeExport(exportPath, { seed: 3, density: 'light', days: 40, endDate, timeZone: TIME_ZONE });
    demo = await newUser({ first_name: 'Demo', last_name: 'Person', email: 'demo@example.com' });
    await importFile(daemon, demo, exportPath);
    const others = Array.from({ length: 50 }, (_, n) => newUser({ first_name: 'Filler', last_name: `No ${n}` }));
    await Promise.all(others);
    return daemon;
  });

  async function newUser(body: Record<string, string>): Promise<string> {
    return (await daemon.client.call(createUser, { body })).id;
  }
  const open = (path: string, options?: ConsoleOptions) => tests.openAddress(`${daemon.url}${path}`, options);
  const openLoggedIn = tests.open;
  const address = (page: Page) => page.url().slice(daemon.url.length);

  it('logs in after a wrong password is explained', async () => {
    const page = await open('/');
    await logIn(page, { email: daemon.email, password: 'wrong' });
    expect(await page.getByRole('alert').textContent()).toMatch(/incorrect|invalid|wrong/i);
    await logIn(page, daemon);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect([address(page), await page.title()]).toEqual(['/', 'Home · healthd']);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
  });

  it('goes from the login to the requested page', async () => {
    const path = `/users/${demo}/workouts?days=7`;
    const page = await openLoggedIn(path);
    await page.getByRole('heading', { name: 'Demo Person' }).waitFor();
    expect(address(page)).toBe(path);
    expect(await page.getByRole('link', { name: '7 days' }).getAttribute('aria-current')).toBe('true');
    expect(await page.title()).toBe('Workouts · Demo Person · healthd');
  });

  it('stays logged in after a reload without exposing a token to scripts', async () => {
    const path = `/users/${demo}/workouts?days=7`;
    const page = await openLoggedIn(path);
    await page.getByRole('heading', { name: 'Demo Person' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Demo Person' }).waitFor();
    expect(address(page)).toBe(path);
    const found = await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]');
    expect(found).toEqual(['', 0, 0]);
    const [cookie, ...others] = await page.context().cookies(`${daemon.url}/api/v1/auth/session`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/v1/auth' });
    expect(others).toEqual([]);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(await page.context().cookies(`${daemon.url}/api/v1/auth/session`)).toEqual([]);
  });

  it('asks for a new login after the session ends, keeping the URL', async () => {
    const page = await openLoggedIn(`/users/${demo}/sleep?days=90`);
    // Waits for the response before the session ends. Otherwise the rejected request would replace the page first.
    const [response] = await Promise.all([
      page.waitForResponse((answered) => answered.url().includes('/events/workouts')),
      page.getByRole('link', { name: 'Workouts' }).click(),
    ]);
    const ended = await fetch(`${daemon.url}/api/v1/auth/logout`, {
      method: 'POST',
      headers: { Authorization: response.request().headers().authorization ?? '' },
    });
    expect(ended.status).toBe(200);
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText('Your session has ended').waitFor();
    await logIn(page, daemon);
    await page.getByRole('heading', { name: 'Activity by day' }).waitFor();
    expect(address(page)).toBe(`/users/${demo}/activity?days=90`);
  });

  it("restores the user list's page and search when the user goes back", async () => {
    const page = await openLoggedIn('/users');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    expect(address(page)).toBe('/users?page=2');
    await page.goBack();
    await page.getByText('Page 1 of 2').waitFor();
    await page.getByLabel('Search by name, email or id').fill('emo pers');
    await page.getByRole('heading', { name: 'Users 1', exact: true }).waitFor();
    expect(address(page)).toBe('/users?search=emo+pers');
    await page.getByRole('link', { name: 'Demo Person' }).click();
    await page.getByRole('heading', { name: 'Demo Person' }).waitFor();
    expect(address(page)).toBe(`/users/${demo}/activity`);
    await page.goBack();
    expect(await page.getByLabel('Search by name, email or id').inputValue()).toBe('emo pers');
    await page.getByLabel('Search by name, email or id').fill('no such name');
    await page.getByText('No users match').waitFor();
  });

  it('shows the latest sample of a user during the first sync', async () => {
    const page = await openLoggedIn('/users');
    await page.route(`**/api/v1/users/${demo}`, async (route) => {
      const response = await route.fetch();
      const user = await response.json();
      await route.fulfill({ response: response, json: { ...user, last_synced_at: null, last_synced_provider: null } });
    });
    await page.goto(`${daemon.url}/users/${demo}/activity`);
    await page.getByText(/Latest sample 20\d\d-\d\d-\d\d \d\d:\d\d/).waitFor();
    expect(await page.getByText('Last synced').count()).toBe(0);
    expect(await page.getByText('No data received yet').count()).toBe(0);
  });

  it('keeps other pages working when one page fails to render', async () => {
    const page = await openLoggedIn('/users');
    await page.route('**/events/workouts?*', (route) => route.fulfill({ json: { data: [{}], pagination: {} } }));
    await page.goto(`${daemon.url}/users/${demo}/workouts`);
    await page.getByRole('alert').getByText('This page cannot be displayed.').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    // The error is also logged in the browser's console for developers.
    expect(tests.takeFaults().join()).toContain('TypeError');
  });

  it('shows the reported activity with gaps for missing days', async () => {
    const page = await openLoggedIn(`/users/${demo}/activity`);
    const shown = await rowsOf(page, 'Activity by day');
    const { data } = await daemon.client.call(getActivitySummary, {
      params: { user_id: demo },
      query: { start_date: shown.at(-1)?.[0] ?? '', end_date: new Date().toISOString(), sort_order: 'desc' },
    });
    expect(shown.length).toBe(28);
    expect(shown.map(([date, steps, , , , floors]) => [date, figure(steps), figure(floors)])).toEqual(
      data.map((day) => [day.date, day.steps, day.floors_climbed]),
    );
    expect(shown.map(([, , km, active]) => [Number(km), figure(active)])).toEqual(
      data.map((day) => [
        Number(((day.distance_meters ?? 0) / 1000).toFixed(1)),
        Math.round(day.active_calories_kcal ?? 0),
      ]),
    );
    await page.getByRole('img', { name: /2 days without data/ }).waitFor();
    expect(await page.locator('.chart rect.gap').count()).toBe(2);
    await page.getByRole('link', { name: '7 days' }).click();
    await page.getByRole('img', { name: /steps by day/ }).waitFor();
    await expect.poll(() => page.locator('.chart rect').count()).toBe(7);
    expect(address(page)).toBe(`/users/${demo}/activity?days=7`);
  });

  it('shows the report of an imported file', async () => {
    const userId = await newUser({ first_name: 'Import', last_name: 'Chosen' });
    const page = await openLoggedIn(`/users/${userId}`);
    await page.getByRole('link', { name: 'import an export file' }).click();
    await page.getByLabel('Import file').setInputFiles(exportPath);
    await page.getByText('The export was imported.').first().waitFor();
    await page.getByRole('link', { name: 'Report' }).click();
    const stored = await rowsOf(page, 'Stored');
    const runId = address(page).replace('/runs/', '');
    const { metadata } = await daemon.client.call(getSyncRun, { params: { run_id: runId } });
    const counts = Object.values((metadata.report as ImportReport).stored).filter(({ inserted }) => inserted > 0);
    expect(counts.length).toBeGreaterThan(2);
    expect(stored.map(([, ...shown]) => shown.map(figure))).toEqual(
      counts.map(({ inserted, updated, unchanged }) => [inserted, updated, unchanged]),
    );
    await page.getByRole('cell', { name: 'HKCategoryTypeIdentifierMindfulSession' }).waitFor();
    const elements = await rowsOf(page, 'Unsupported elements');
    expect(elements.map(([name]) => name)).toContain('ActivitySummary');
    expect(await rowsOf(page, 'Files not read')).toEqual([
      ['Workout routes', '1'],
      ['Clinical documents', '1'],
    ]);
    expect(
      (await rowsOf(page, `${(metadata.items as ItemCounts).read.toLocaleString('en-US')} items read`)).length,
    ).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'Import Chosen' }).click();
    await page.getByRole('link', { name: 'Activity' }).click();
    expect((await rowsOf(page, 'Activity by day')).length).toBe(28);
  });

  it('retries the failed import of a dropped file once', async () => {
    const userId = await newUser({ first_name: 'Import', last_name: 'Dropped' });
    const page = await openLoggedIn(`/users/${userId}/runs`);
    await page.getByText('No runs yet.').waitFor();
    const cut = '<?xml version="1.0"?><HealthData locale="en_PL"><Record type="x"></HealthData>';
    const file = await page.evaluateHandle(`{
      const dropped = new DataTransfer();
      dropped.items.add(new File([${JSON.stringify(cut)}], 'broken.xml', { type: 'text/xml' }));
      dropped;
    }`);
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: file });
    await page.getByRole('region', { name: 'Runs' }).getByText('failed').waitFor();
    const [run] = await daemon.client.call(listUserSyncRuns, { params: { user_id: userId }, query: {} });
    expect(run?.error).toBeTruthy();
    await page
      .getByRole('region', { name: 'Runs' })
      .getByText(run?.error ?? '')
      .waitFor();
    await page.getByRole('link', { name: run?.run_id ?? '' }).click();
    await page
      .locator('.problem')
      .getByText(run?.error ?? '')
      .waitFor();
    const retry = page.getByRole('button', { name: 'Retry' });
    const earlier = page.getByRole('link', { name: run?.run_id ?? '' });
    await retry.click();
    // Only the retry's page links to the earlier run. If the retry failed too, its page also offers a retry.
    await earlier.waitFor();
    await retry.waitFor();
    await earlier.click();
    await expect.poll(() => page.title()).toBe(`${run?.run_id} · Runs · healthd`);
    await retry.click();
    await page.getByText('The run was already retried').waitFor();
  });

  it.each([1440, 390])("limits a run's long message to two lines at %i px", async (width) => {
    const userId = await newUser({ first_name: 'Import', last_name: 'Explained' });
    const page = await openLoggedIn(`/users/${userId}/runs`, { width });
    const path = join(daemon.home.folder, 'cut.xml');
    await writeFile(path, '<?xml version="1.0"?><HealthData locale="en_PL"><Record type="x"></HealthData>');
    await page.getByLabel('Import file').setInputFiles(path);
    const runs = page.getByRole('region', { name: 'Runs' });
    await runs.getByText('failed').waitFor();
    const [run] = await daemon.client.call(listUserSyncRuns, { params: { user_id: userId }, query: {} });
    const written = JSON.stringify(run?.error).slice(1, -1);
    // Makes the message in the service's response longer.
    await page.route(/\/api\/v1\/.*runs/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(written, `${written} `.repeat(12));
      await route.fulfill({ response, body });
    });
    await page.reload();
    const row = runs.locator('tbody tr');
    const message = row.locator('td').last();
    await expect.poll(async () => (await message.textContent())?.length).toBeGreaterThan(300);
    // Two lines of text fit, with the cell's padding. On narrow screens the text is below the name.
    expect((await message.boundingBox())?.height).toBeLessThan(64);
    expect(await overflow(page)).toBe(0);
  });

  it('shows a rejected upload with its request ID', async () => {
    const page = await openLoggedIn(`/users/${demo}/runs`);
    const picture = join(daemon.home.folder, 'picture.zip');
    await writeFile(picture, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    await page.getByLabel('Import file').setInputFiles(picture);
    await page
      .getByRole('alert')
      .getByText(/Request/)
      .waitFor();
  });

  it('deletes a user only after the operator types the name', async () => {
    const userId = await newUser({ first_name: 'Grace', last_name: 'Goes' });
    const page = await openLoggedIn(`/users/${userId}/data`);
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('heading', { name: 'Delete Grace Goes?' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Delete user' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete user' });
    await page.getByLabel('Type Grace Goes to confirm').fill('Grace');
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type Grace Goes to confirm').fill('Grace Goes');
    await page.keyboard.press('Enter');
    await page.getByText('Deleted Grace Goes and all their data.').waitFor();
    await page.getByRole('heading', { name: 'Erasure receipt' }).waitFor();
    const deletedUser = await daemon.client
      .call(getUser, { params: { user_id: userId } })
      .catch((error: unknown) => error);
    expect((deletedUser as ApiError).status).toBe(404);
    await page.goBack();
    await page.getByRole('heading', { name: 'User not found' }).waitFor();
  });

  it("links a user's data to its audit trail", async () => {
    const userId = await newUser({ first_name: 'Nora', last_name: 'Read' });
    const page = await openLoggedIn(`/users/${userId}/data`);
    await page.getByRole('link', { name: 'Access to this user’s data' }).click();
    await page.getByRole('region', { name: 'Audit trail' }).getByText('create user').waitFor();
    expect(new URL(page.url()).searchParams.get('user')).toBe(userId);
  });

  it('creates a user with the keyboard alone', async () => {
    const page = await openLoggedIn('/users');
    await page.getByRole('button', { name: 'New user' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Kay');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Board');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Kay Board' }).waitFor();
  });

  it('serves HTML only at console URLs, under a strict security policy', async () => {
    const get = (path: string) => fetch(`${daemon.url}${path}`, { headers: { Accept: 'text/html' } });
    expect((await get('/runs/xml_1')).headers.get('content-type')).toMatch(/text\/html/);
    expect((await get('/assets/none.js')).status).toBe(404);
    expect((await get('/api/v1/none')).status).toBe(404);
    const html = await (await get('/')).text();
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? '';
    expect((await get(script)).headers.get('cache-control')).toMatch(/immutable/);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
    const policy = (await get('/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  it.each([
    { width: 1440, colorScheme: 'light' },
    { width: 1440, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const)('is accessible on its main pages: $width px, $colorScheme', async (look) => {
    const page = await open('/users', look);
    await page.getByLabel('Password').waitFor();
    expect(await complaints(page)).toEqual([]);
    await logIn(page, daemon);
    for (const [path, title] of await everyPage()) {
      await goTo(page, path, title);
      expect([path, await complaints(page)]).toEqual([path, []]);
    }
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await complaints(page)).toEqual([]);
  });

  it('fits narrow phones on its main pages, even with long names', async () => {
    const page = await openLoggedIn('/users', { width: 390 });
    const pages = await everyPage();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      for (const [path, title] of pages) {
        await goTo(page, path, title);
        expect([width, path, await overflow(page)]).toEqual([width, path, 0]);
      }
    }
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await overflow(page)).toBe(0);
  });

  /** Returns URL and title of the main pages. The last page belongs to a user with a very long name. */
  async function everyPage(): Promise<[path: string, title: string][]> {
    const long = await newUser({ first_name: LONG_NAME, last_name: LONG_NAME, email: `${LONG_NAME}@example.com` });
    const [run] = await daemon.client.call(listUserSyncRuns, { params: { user_id: demo }, query: {} });
    const tabs = ['Activity', 'Sleep', 'Workouts', 'Data', 'Connections', 'Runs'];
    return [
      ['/', 'Home · healthd'],
      ['/trouble?provider=apple&cause=phone_silent', 'Device pushes stopped · Apple Health · Home · healthd'],
      ['/coverage', 'Coverage · healthd'],
      ['/nothing/here', 'Not found · healthd'],
      ['/users', 'Users · healthd'],
      ['/users?search=no', '“no” · Users · healthd'],
      ...tabs.map((tab): [string, string] => [`/users/${demo}/${tab.toLowerCase()}`, `${tab} · Demo Person · healthd`]),
      ['/runs', 'Runs · healthd'],
      ['/providers', 'Providers · healthd'],
      [`/runs/${run?.run_id}`, `${run?.run_id} · Runs · healthd`],
      [`/users/${long}/activity`, `Activity · ${LONG_NAME} ${LONG_NAME} · healthd`],
    ];
  }
});

/** Navigates within the page like a link, and waits until the page with this title has loaded. */
async function goTo(page: Page, path: string, title: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate', { state: {} }))`);
  // Polls instead of using requestIdleCallback. Chromium grants idle time only after drawing a frame, which may never
  // happen on a busy machine.
  await expect.poll(() => page.title()).toBe(title);
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
}

function figure(text: string | undefined): number {
  return Number((text ?? '').replaceAll(',', ''));
}
