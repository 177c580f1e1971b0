// Which pages of the console are shot, with the ids that they need.

/** Logs in on the page that is open. */
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

/** Name and path of every page. @returns {Promise<[name: string, path: string][]>} */
export async function addresses(page, url) {
  const call = await developerAt(url);
  const get = (path) => call('GET', path);
  const { items: users } = await get('/users?limit=1&sort_by=created_at&sort_order=asc');
  const [ended] = (await get('/users?search=Okafor')).items;
  const runs = await get('/sync/runs?limit=1&source=backfill');
  const user = users[0]?.id;
  const nights = await get(`/users/${user}/events/sleep?start_date=${daysAgo(5)}&end_date=${daysAgo(-1)}&limit=1`);
  const workouts = await get(
    `/users/${user}/events/workouts?start_date=${daysAgo(30)}&end_date=${daysAgo(-1)}&limit=1`,
  );
  await page.goto(url);
  await page.getByLabel('Password').waitFor();
  await signIn(page);
  const person = (name, path = name) => [`user-${name}`, `/users/${user}/${path}`];
  return [
    ['home', '/'],
    ['users', '/users'],
    person('activity'),
    person('sleep'),
    person('night', `sleep/${nights.data[0]?.id}`),
    person('explain', `activity/${daysAgo(3)}`),
    person('workouts'),
    person('workout', `workouts/${workouts.data[0]?.id}`),
    person('health', 'health?days=7'),
    person('days'),
    person('series', 'series?type=heart_rate'),
    person('data'),
    person('connections'),
    person('runs'),
    ['user-in-trouble', `/users/${ended?.id}/connections`],
    ['connections', '/connections'],
    ['runs', '/runs'],
    ['run', `/runs/${runs[0]?.run_id}`],
    ['trouble', '/trouble?provider=google&cause=vendor_failing'],
    ['providers', '/providers'],
    ['provider', '/providers/google'],
    ['priorities', '/priorities'],
    ['api-keys', '/api-keys'],
    ['applications', '/applications'],
    ['developers', '/developers'],
    ['audit', '/audit'],
    ['settings', '/settings'],
    ['coverage', '/coverage'],
    ['not-found', '/users/nothing/here'],
  ];
}
