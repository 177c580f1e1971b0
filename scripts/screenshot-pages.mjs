// Pages of the console to capture, with the ids that they need.

/**
 * @typedef {{
 *   name: string,
 *   path: string,
 *   widths?: number[],
 *   isPublic?: boolean,
 *   before?: (page: import('playwright').Page) => Promise<unknown>,
 *   act?: (page: import('playwright').Page) => Promise<unknown>,
 * }} Shot
 * widths: all by default; isPublic: without a login; before: called before the page opens, undone by the caller;
 * act: called on the loaded page
 */

/** Logs in on the open page. */
export async function signIn(page) {
  await page.getByLabel('Email').fill(process.env.ADMIN_EMAIL ?? 'admin@localhost');
  await page.getByLabel('Password').fill(process.env.ADMIN_PASSWORD ?? '');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('#page').waitFor();
}

/** Calls the API as the developer of these screenshots. */
export async function developerAt(url) {
  const login = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({
      username: process.env.ADMIN_EMAIL ?? 'admin@localhost',
      password: process.env.ADMIN_PASSWORD ?? '',
    }),
  });
  const { access_token: token } = await login.json();
  return async (method, path, body) => {
    const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    return response.status === 204 ? undefined : response.json();
  };
}

const daysAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/**
 * Returns ids of users and of their data: a night with stages, and the workout with the most parts.
 * @param {(method: string, path: string, body?: object) => Promise<any>} call the API as a developer
 */
export async function findSubjects(call) {
  const get = (path) => call('GET', path);
  const named = async (name) => (await get(`/users?search=${name}`)).items[0]?.id;
  const user = (await get('/users?limit=1&sort_by=created_at&sort_order=asc')).items[0]?.id;
  const period = `start_date=${daysAgo(30)}&end_date=${daysAgo(-1)}&limit=100`;
  const { data: nights } = await get(`/users/${user}/events/sleep?${period}`);
  const night = nights.find((one) => !one.is_nap && one.sleep_stage_intervals?.length > 0);
  const { data: workouts } = await get(`/users/${user}/events/workouts?${period}`);
  const details = [];
  for (const { id, distance_meters: distance } of workouts) {
    if (distance !== null) details.push(await get(`/users/${user}/events/workouts/${id}`));
  }
  details.sort((a, b) => richness(b) - richness(a));
  const [ended, failing, empty] = [await named('Okafor'), await named('Bianchi'), await named('Lindqvist')];
  const [backfill] = await get('/sync/runs?limit=1&source=backfill');
  const [failed] = await get('/sync/runs?limit=1&status=failed');
  const [imported] = await get('/sync/runs?limit=1&provider=apple');
  return { user, ended, failing, empty, night: night?.id, workout: details[0]?.id, backfill, failed, imported };
}

/** Rates how much a workout shows: route, laps, series. */
function richness({ samples, ...workout }) {
  const parts = Object.values(workout).filter((value) => Array.isArray(value) && value.length > 0);
  const series = Array.isArray(samples) ? samples : (samples?.series ?? []);
  return parts.length + series.length;
}

/** Returns every page in its initial state. @returns {Shot[]} */
export function pagesOf({ user, ended, failing, empty, night, workout, backfill, failed, imported }) {
  const of = (id, prefix) => (name, path) => ({ name: `${prefix}-${name}`, path: `/users/${id}/${path}` });
  const userPage = of(user, 'user');
  const newcomer = of(empty, 'user-empty');
  const at = (name, path) => ({ name, path });
  return [
    at('home', '/'),
    at('users', '/users'),
    at('users-none', '/users?search=Zacharias'),
    userPage('activity', 'activity'),
    userPage('sleep', 'sleep'),
    userPage('night', `sleep/${night}`),
    userPage('explain', `activity/${daysAgo(3)}`),
    userPage('explain-recovery', `health/recovery/${daysAgo(3)}`),
    userPage('explain-body', 'health/body'),
    userPage('workouts', 'workouts?days=7'),
    userPage('workout', `workouts/${workout}`),
    userPage('health', 'health?days=7'),
    userPage('days', 'days'),
    userPage('series', 'series?type=heart_rate&days=1'),
    userPage('series-week', 'series?type=heart_rate&days=7'),
    userPage('series-bars', 'series?type=steps&days=1'),
    userPage('data', 'data'),
    userPage('connections', 'connections'),
    userPage('runs', 'runs'),
    userPage('changes', 'changes'),
    newcomer('activity', 'activity'),
    newcomer('series', 'series'),
    newcomer('days', 'days'),
    newcomer('data', 'data'),
    newcomer('connections', 'connections'),
    newcomer('runs', 'runs'),
    at('user-in-trouble', `/users/${ended}/connections`),
    at('user-failing', `/users/${failing}/connections`),
    at('connections', '/connections'),
    at('runs', '/runs'),
    at('run', `/runs/${backfill?.run_id}`),
    at('run-failed', `/runs/${failed?.run_id}`),
    at('run-import', `/runs/${imported?.run_id}`),
    at('run-unknown', '/runs/pull_0000000000000000'),
    at('trouble', '/trouble?provider=google&cause=vendor_failing'),
    at('providers', '/providers'),
    at('provider', '/providers/google'),
    at('provider-whoop', '/providers/whoop'),
    at('provider-terms', '/providers/strava'),
    at('priorities', '/priorities'),
    at('api-keys', '/api-keys'),
    at('applications', '/applications'),
    at('developers', '/developers'),
    at('audit', '/audit'),
    at('settings', '/settings'),
    at('coverage', '/coverage'),
    at('user-unknown', '/users/00000000-0000-4000-8000-000000000000'),
  ];
}
