// States of the console that a URL alone does not show: loading, errors, dialogs, selections and input.

/** Never responds. */
const never = () => undefined;

const click =
  (name, role = 'button') =>
  async (page) =>
    page.getByRole(role, { name }).first().click();

/** Opens a dialog by a button. */
const open = (name) => async (page) => {
  await click(name)(page);
  await page.getByRole('dialog').waitFor();
};

/** Simulates an update: the open page's files are missing, and the page loads another script. */
async function update(page) {
  await page.route('**/assets/coverage-page*', (route) => route.abort());
  await page.route(/\/$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/index-[^.]+\.js/, 'index-newer.js') });
  });
}

/** Changes the URL like a link of the console. */
function navigateTo(page, path) {
  return page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
}

/** @returns {import('./screenshot-pages.mjs').Shot[]} */
export function statesOf({ user, ended, failing }) {
  const tab = (path) => `/users/${user}/${path}`;
  const at = (name, path, act, more) => ({ name, path, act, ...more });
  return [
    at('sign-in', '/', undefined, { isPublic: true }),
    at('sign-in-refused', '/', logInWithWrongPassword, { isPublic: true }),
    at('home-loading', '/', undefined, { before: (page) => page.route('**/api/v1/diagnosis*', never) }),
    at('home-error', '/', undefined, {
      before: (page) => page.route('**/api/v1/diagnosis*', (route) => route.abort()),
    }),
    at('users-loading', '/users', undefined, { before: (page) => page.route('**/api/v1/users?*', never) }),
    at('offline', '/users', (page) => page.context().setOffline(true)),
    // Stale content remains after a failed reload.
    at('stale', '/settings', async (page) => {
      await page.route('**/health/ready', (route) => route.abort());
      await page.getByText('Some requests fail.').waitFor({ timeout: 40_000 });
    }),
    at('newer-version', '/users', async (page) => {
      await update(page);
      await navigateTo(page, '/coverage');
    }),
    // Navigates inside the page, because the service itself returns 404 for a path outside of the console.
    at('not-found', '/users', (page) => navigateTo(page, '/nothing/here')),
    at('menu', '/users', open('Menu'), { widths: [390] }),
    at('palette', '/users', async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'User, page or action' }).fill('a');
    }),
    at('shortcuts', '/users', async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    }),
    at('new-user', '/users', open('New user')),
    at('delete-user', tab('activity'), open('Delete user')),
    at('working-providers', tab('activity'), (page) => page.getByText('Show last data').click()),
    at('verdict-why', `/users/${failing}/connections`, (page) =>
      page.getByText('Why', { exact: true }).first().click(),
    ),
    at('sleep-unfolded', tab('sleep?days=7'), click(/^All \d+ recorded/)),
    at('series-as-table', tab('series?type=heart_rate&days=1'), (page) => page.getByText('As a table').first().click()),
    at('send-link', `/users/${ended}/connections`, open('Create a connect link')),
    at('link-ready', `/users/${ended}/connections`, async (page) => {
      await click('Create a connect link')(page);
      await page.getByRole('dialog').locator('button.primary').click();
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    }),
    at('backfill', `/users/${failing}/connections`, open(/^Backfill/)),
    at('disconnect', `/users/${failing}/connections`, open(/^Disconnect/)),
    at('fill-missing-days', tab('days'), open(/missing:/)),
    at('dry-run', tab('runs'), dryRun),
    at('live-run', `/users/${failing}/connections`, (page) =>
      page.getByRole('button', { name: /^Sync/ }).first().click(),
    ),
    at('retry-runs', '/runs?status=failed', async (page) => {
      await page.getByRole('checkbox').first().check();
      await open(/^Retry/)(page);
    }),
    at('sync-all', '/trouble?provider=google&cause=vendor_failing', open(/^Sync all/)),
    at('switch-mode', '/providers/google', async (page) => {
      await page.getByLabel('Syncing of Google Health').selectOption({ index: 1 });
    }),
    at('quota', '/providers', open('Quota')),
    at('accept-term', '/providers/strava', open('Accept Storage limit')),
    at('override-term', '/providers/strava', open('Override AI assistants')),
    at('priorities-preview', '/priorities', click('Move Apple Health down')),
    at('archival-preview', '/settings', async (page) => {
      await page.getByLabel('Archive samples after').fill('30');
      await page.locator('.archival .primary, .archival + .row .primary').first().click({ timeout: 2000 });
    }),
    at('new-key', '/api-keys', open('New key')),
    at('new-application', '/applications', open('New application')),
    at('invite', '/developers', open('Invite')),
  ];
}

async function logInWithWrongPassword(page) {
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByLabel('Password').fill('not the password');
  await click('Log in')(page);
  await page.getByRole('alert').waitFor();
}

async function dryRun(page) {
  const { writeExport } = await import('../packages/simulators/dist/index.js');
  const { mkdtemp, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const folder = await mkdtemp(join(tmpdir(), 'healthd-dry-run-'));
  try {
    const file = join(folder, 'export.zip');
    const endDate = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await writeExport(file, { seed: 7, density: 'light', days: 3, endDate, timeZone: 'Europe/Berlin' });
    await page.getByLabel('Dry run').check();
    await page.getByLabel('Import file').setInputFiles(file);
    await page.getByRole('region', { name: 'Changes of the import' }).waitFor();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the shots of the page where users connect: open, after a consent, and with an invalid link.
 * @returns {Promise<import('./screenshot-pages.mjs').Shot[]>}
 */
export async function connectPages(call) {
  const { id } = await call('POST', '/users', { first_name: 'Lina', last_name: 'Berg' });
  const newPath = async () => new URL((await call('POST', `/users/${id}/connect-links`, {})).url).pathname;
  const narrow = { isPublic: true, widths: [390, 320] };
  return [
    { name: 'connect', path: await newPath(), ...narrow },
    { name: 'connect-unknown', path: '/connect/there-is-no-such-link', ...narrow },
    { name: 'connect-done', path: await newPath(), ...narrow, act: consentTo('Oura') },
    { name: 'connect-declined', path: await newPath(), ...narrow, act: consentTo('Whoop', 'Deny') },
  ];
}

/**
 * Opens a simulated vendor, decides on its consent page and returns. Does nothing if the provider is already connected.
 */
const consentTo =
  (provider, decision = 'Allow') =>
  async (page) => {
    const connect = page.getByRole('button', { name: `Connect: ${provider}` });
    if (!(await connect.isVisible())) return;
    await connect.click();
    await click(decision)(page);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };

/**
 * Returns the shot of a generated user's erasure receipt.
 * @returns {Promise<import('./screenshot-pages.mjs').Shot[]>}
 */
export async function receiptPage(call) {
  const { id } = await call('POST', '/users', { first_name: 'Noor', last_name: 'Haddad' });
  const { erasure_id: erasure } = await call('DELETE', `/users/${id}`);
  return [{ name: 'erasure', path: `/erasures/${erasure}` }];
}
