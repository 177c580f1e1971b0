import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GoogleSimulator, startGoogleSimulator, writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE_QUOTA, ampleVendorSettings } from '../support/simulated-vendor.js';
import { jsonLines, jsonOf, rejectionOf } from './cli-responses.js';
import { ADMIN, startWorld, type World } from './cli-world.js';

let vendor: GoogleSimulator;
let world: World;
let user: string;
beforeAll(async () => {
  vendor = await startGoogleSimulator({ autoConsent: true, quota: AMPLE_QUOTA });
  world = await startWorld({ ...ampleVendorSettings(vendor), HISTORICAL_SYNC_ON_CONNECT: 'false' });
  await vendor.control.addAccount({ id: 'ada' });
  await vendor.control.seedHistory('ada', { days: 6, dataTypes: ['steps', 'weight'] });
  user = (await json('users', 'create', '--email', 'ada@clinic.example', '--external-id', 'patient-7')).id;
});
afterAll(async () => {
  await world?.stop();
  await vendor?.close();
});

const json = (...args: string[]) => jsonOf(world, args);
const rejected = (...args: string[]) => rejectionOf(world, args);

test('finds users by unambiguous ID prefix, email or external ID', async () => {
  for (const name of [user.slice(0, 8), 'ADA@clinic.example', 'patient-7']) {
    expect(await json('users', 'show', name, '--json', 'id')).toEqual({ id: user });
    expect(await json('connections', 'list', '--user', name)).toEqual([]);
  }
  const namesake = await json('users', 'create', '--email', 'ada@clinic.example');
  expect(await rejected('users', 'show', 'ada@clinic.example')).toMatchObject({
    exit: 2,
    code: 'ambiguous',
    hint: expect.stringContaining(namesake.id),
  });
  await json('users', 'delete', namesake.id, '--yes');
  expect(await rejected('why', 'nobody@clinic.example')).toMatchObject({ exit: 1, code: 'not_found' });
});

test('rejects a push of an invalid file or with a user token', async () => {
  const app = await json('apps', 'create', 'Diary');
  const rotated = await json('apps', 'rotate-secret', 'Diary');
  expect(rotated.app_secret).not.toBe(app.app_secret);
  const obtained = await world.healthctl(['tokens', 'create', '--user', user, '--app', app.app_id], {
    input: `${rotated.app_secret}\n`,
  });
  expect(obtained.code, obtained.stderr).toBe(0);
  const { access_token } = JSON.parse(obtained.stdout);

  const at = '2026-03-01T08:00:00Z';
  const record = {
    id: 'r1',
    type: 'HKQuantityTypeIdentifierHeartRate',
    startDate: at,
    endDate: at,
    value: 61,
    unit: 'count/min',
  };
  const batch = { provider: 'apple', sdkVersion: '0.11.0', syncTimestamp: at, data: { records: [record] } };
  const good = join(world.folder, 'batch.json');
  const bad = join(world.folder, 'bad.json');
  await writeFile(good, JSON.stringify(batch));
  await writeFile(bad, JSON.stringify({ ...batch, data: { records: [record, { ...record, value: { bpm: 61 } }] } }));
  const wrong = await rejected('push', bad, '--user', user);
  expect(wrong).toMatchObject({
    exit: 2,
    code: 'payload_invalid',
    message: expect.stringContaining('data.records[1].value'),
  });
  expect(await json('runs', 'list', '--user', user)).toEqual([]);

  const pushed = await world.healthctl(['push', good, '--user', user, '--url', world.url], {
    env: { HEALTHCTL_TOKEN: access_token },
  });
  expect(JSON.parse(pushed.stderr.trim().split('\n').at(-1) ?? '{}')).toMatchObject({ code: 'not_authenticated' });
  const stored = await world.healthctl(['push', good, '--user', user]);
  expect(stored.code, stored.stderr).toBe(0);
  expect(jsonLines(stored.stdout).at(-1)).toMatchObject({ event: 'result', status: 'success' });
  const [sample] = await json(
    'data',
    'timeseries',
    '--user',
    user,
    '--types',
    'heart_rate',
    '--from',
    '2026-03-01',
    '--to',
    '2026-03-01',
  );
  expect(sample).toMatchObject({ value: 61 });

  const { code } = await json('tokens', 'code', '--user', user);
  const redeemed = await json('tokens', 'redeem', code.toLowerCase());
  expect(redeemed).toMatchObject({ user_id: user, refresh_token: expect.any(String) });
  expect((await world.healthctl(['tokens', 'revoke'], { input: redeemed.refresh_token })).code).toBe(0);
  expect(await json('apps', 'delete', 'Diary', '--yes')).toMatchObject({ app_id: app.app_id, name: 'Diary' });
  expect(await json('apps', 'list')).toEqual([]);
});

test('applies --jq, --utc, --quiet and --all to the output', async () => {
  const id = await world.healthctl(['users', 'list', '--jq', '.[0].id']);
  expect(id.stdout).toBe(`${user}\n`);
  expect(await rejected('users', 'list', '--jq', '.[')).toMatchObject({ exit: 2, code: 'jq_invalid' });
  const shown = await world.onTerminal(['users', 'show', user, '--utc', '--quiet', '--color', 'off']);
  expect(shown.stdout).toMatch(/Created +\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  expect(shown.stdout).not.toContain('Stored data:');
  expect(await json('runs', 'list', '--all')).toEqual(await json('runs', 'list', '--limit', '10000'));
});

test('dry runs only count affected users and data', async () => {
  expect(await json('providers', 'disable', 'google', '--dry-run', '--quiet')).toEqual([
    { provider: 'google', live_sync_mode: 'pull', active_connections: 0, users: 0, days: 0, samples: 0 },
  ]);
  await json('providers', 'set', 'google', '--mode', 'webhook', '--dry-run', '--quiet');
  expect(await json('providers', 'show', 'google')).toMatchObject({ is_enabled: true, live_sync_mode: 'pull' });
  const held = await json('users', 'delete', user, '--dry-run', '--quiet');
  expect(held).toMatchObject({ user_id: user, provider: null, days: 1, samples: 1 });
  const fromApple = await json(
    'connections',
    'disconnect',
    'apple',
    '--user',
    user,
    '--delete-data',
    '--dry-run',
    '--quiet',
  );
  expect(fromApple).toMatchObject({ provider: 'apple', days: 1, samples: 1 });
  const before = await json('providers', 'priorities');
  const preview = await json('providers', 'set-priorities', 'google=1', 'apple=90', '--dry-run', '--quiet');
  expect(preview).toEqual({
    users: 0,
    days: 0,
    nights: 0,
    nights_archived: 0,
    recoveries: 0,
    recoveries_archived: 0,
    body_summaries: 0,
    samples: 0,
    users_compared: 0,
    users_concerned: 0,
  });
  const { stderr: output } = await world.healthctl(['providers', 'set-priorities', 'google=1', '--dry-run']);
  expect(output).toContain('Nothing was changed.');
  const ofUser = ['providers', 'set-priorities', 'google=1', '--user', user];
  expect(await json(...ofUser, '--dry-run', '--quiet')).toEqual([]);
  expect((await world.healthctl([...ofUser, '--dry-run'])).stderr).toContain(
    '0 of 0 days, 0 of 0 nights, 0 of 0 recovery dates of the last 30 days and no body summary would change',
  );
  expect(await rejected(...ofUser)).toMatchObject({ exit: 2, code: 'dry_run_missing' });
  expect(await json('providers', 'priorities')).toEqual(before);
  expect((await json('users', 'show', user)).id).toBe(user);
});

test('manages a connect link from creation to revocation', async () => {
  const link = await json('connect-links', 'create', '--user', user, '--providers', 'google', '--expires', '1h');
  expect(link.url).toMatch(/^http/);
  expect((await fetch(new URL(new URL(link.url).pathname, world.url))).status).toBe(200);
  expect(await json('connect-links', 'revoke', link.id, '--user', user)).toMatchObject({
    id: link.id,
    status: 'revoked',
  });
  expect(await json('connect-links', 'list', '--user', user)).toMatchObject([{ id: link.id, status: 'revoked' }]);
});

test('logs tail filters the printed steps by status', async () => {
  expect(jsonLines((await world.healthctl(['sync', 'watch', '--user', user])).stdout)).toEqual([
    { event: 'result', user_id: user, runs: [] },
  ]);
  const started = await json('connections', 'connect', 'google', '--user', user);
  const page = await fetch(started.authorization_url, { redirect: 'manual' });
  const back = new URL(page.headers.get('location') ?? '');
  await fetch(`${world.url}${back.pathname}${back.search}`, { redirect: 'manual' });
  await world.healthctl(['sync', 'watch', '--user', user]);

  const [accepted] = jsonLines(
    (await world.healthctl(['sync', 'historical', '--user', user, '-p', 'google', '--days', '4', '--no-wait'])).stdout,
  );
  const watched = await world.healthctl(['sync', 'watch', '--user', user]);
  expect(watched.code, watched.stderr).toBe(0);
  const events = jsonLines(watched.stdout);
  expect(events.filter(({ event }) => event === 'result')).toHaveLength(1);
  expect(await json('runs', 'show', accepted.run_id.slice(0, 20))).toMatchObject({ status: 'success' });

  const tail = await world.healthctl(['logs', 'tail', '--user', user, '--no-follow', '--limit', '200']);
  const steps = jsonLines(tail.stdout).filter(({ run_id }) => run_id === accepted.run_id);
  expect(steps.at(-1)).toMatchObject({ status: 'success' });
  const all = await world.healthctl(['logs', 'tail', '--no-follow', '--provider', 'google']);
  expect(jsonLines(all.stdout).map(({ run_id }) => run_id)).toContain(accepted.run_id);
  // The newest step ended the run. The list is newest first, so earlier steps follow it.
  for (const whose of [['--user', user], []]) {
    const under = await world.healthctl(
      ['logs', 'tail', '--no-follow', '--status', 'in_progress', '--limit', '1'].concat(whose),
    );
    expect(jsonLines(under.stdout)).toMatchObject([{ status: 'in_progress' }]);
  }
});

test('logs tail prints the filtered steps of all users until Ctrl-C', async () => {
  const users = [(await json('users', 'create')).id, (await json('users', 'create')).id];
  const batch = join(world.folder, 'batch.json');
  let pushed: Promise<unknown> | undefined;
  const push = () => Promise.all(users.map((one) => world.healthctl(['push', batch, '--user', one])));
  const ended = await world.healthctl(['logs', 'tail', '--source', 'sdk', '--provider', 'apple', '--limit', '1'], {
    watch: (text, child) => {
      pushed ??= push();
      const whole = jsonLines(text.slice(0, text.lastIndexOf('\n')));
      const done = whole.filter(({ user_id, stage }) => users.includes(user_id) && stage === 'completed');
      if (done.length === users.length) child.kill('SIGINT');
    },
  });
  await pushed;
  expect(ended.code).toBe(130);
  const steps = jsonLines(ended.stdout);
  expect(new Set(steps.map(({ source }) => source))).toEqual(new Set(['sdk']));
  for (const one of users) {
    const stages = steps.filter(({ user_id }) => user_id === one).map(({ stage }) => stage);
    expect(stages).toEqual(['queued', 'started', 'completed']);
    await json('users', 'delete', one, '--yes');
  }
});

test('logs tail prints new events until Ctrl-C', async () => {
  let stepped: Promise<unknown> | undefined;
  const ended = await world.healthctl(['logs', 'tail', '--user', user, '--limit', '1'], {
    watch: (text, child) => {
      stepped ??= world.healthctl(['sync', 'run', '--user', user, '-p', 'google', '--no-wait']);
      if (text.split('"status":"success"').length > 2) child.kill('SIGINT');
    },
  });
  await stepped;
  expect(ended.code).toBe(130);
});

test('reads summaries and single records', async () => {
  const file = join(world.folder, 'export.zip');
  await writeExport(file, { seed: 3, density: 'light', days: 20, endDate: '2026-06-30' });
  const imported = await world.healthctl(['import', file, '--user', user]);
  expect([0, 3]).toContain(imported.code);
  const range = ['--user', user, '--from', '2026-06-01', '--to', '2026-06-30'];
  expect((await json('data', 'recovery', ...range)).length).toBeGreaterThan(5);
  expect((await json('data', 'nights', ...range))[0]).toMatchObject({
    date: expect.any(String),
    duration_minutes: expect.any(Number),
  });
  expect(await json('data', 'scores', ...range)).toEqual([]);
  expect(Array.isArray(await json('data', 'cycles', ...range))).toBe(true);
  expect((await json('data', 'gaps', '--user', user)).length).toBeGreaterThan(0);
  expect(await json('data', 'body', '--user', user)).toMatchObject({
    slow_changing: { weight_kg: expect.any(Number) },
  });

  const [workout] = await json('data', 'workouts', ...range);
  expect(await json('data', 'workout', workout.id, '--user', user)).toMatchObject({ id: workout.id });
  const [night] = await json('data', 'sleep', ...range);
  expect(await json('data', 'night', night.id, '--user', user)).toMatchObject({ id: night.id });
  const shown = await world.onTerminal(['data', 'night', night.id, '--user', user, '--color', 'off']);
  for (const line of [/^In bed +\d/m, /^Efficiency +(–|\d+(\.\d)? %)\r?$/m, /^Deep +(–|\d+ min)/m])
    expect(shown.stdout).toMatch(line);
  const empty = await world.onTerminal(['data', 'sleep', '--user', user, '--from', '2001-01-01', '--to', '2001-01-02']);
  expect(empty.stdout).toContain('No data from 2001-01-01 to 2001-01-02.');
  expect(empty.stdout).toContain(`By wake date: healthctl data nights --user ${user}`);
});

test('restores a deleted workout', async () => {
  const [workout] = await json('data', 'workouts', '--user', user, '--from', '2026-06-01', '--to', '2026-06-30');
  const named = { kind: 'workout', id: workout.id, user_id: user };
  expect(await json('data', 'delete', 'workout', workout.id, '--user', user, '--yes')).toEqual({
    ...named,
    is_deleted: true,
  });
  expect(await rejected('data', 'workout', workout.id, '--user', user)).toMatchObject({ exit: 1, code: 'not_found' });
  expect(await json('data', 'restore', 'workout', workout.id, '--user', 'patient-7')).toEqual({
    ...named,
    is_deleted: false,
  });
  expect(await json('stats')).toMatchObject({ total_users: { count: 1 } });
});

test('imports several files, a folder and stdin despite failures', async () => {
  const folder = join(world.folder, 'exports');
  await mkdir(folder);
  for (const seed of [11, 12]) {
    await writeExport(join(folder, `export-${seed}.zip`), { seed, density: 'light', days: 3, endDate: '2026-05-10' });
  }
  const broken = join(world.folder, 'broken.xml');
  await writeFile(broken, '<nothing/>');
  const failures = join(world.folder, 'failed.ndjson');
  const xml = '<?xml version="1.0"?><HealthData></HealthData>';
  const ended = await world.healthctl(['import', folder, broken, '-', '--user', user, '--failures', failures], {
    input: xml,
  });
  expect(ended.code).toBe(3);
  const events = jsonLines(ended.stdout);
  expect(events.filter(({ event }) => event === 'file')).toHaveLength(4);
  expect(events.at(-1)).toMatchObject({ event: 'result', files: 4, failed: 1, imported: 3 });
  expect(jsonLines(await readFile(failures, 'utf8'))).toMatchObject([{ file: broken, status: 'failed' }]);
  expect(await rejected('import', folder, '--user', user, '--replace')).toMatchObject({
    exit: 2,
    code: 'input_needed',
  });
  const dry = await world.healthctl(['import', folder, '--user', user, '--dry-run']);
  expect(dry.code, dry.stderr).toBe(0);
});

test('collects findings and runs without sensitive data in a support bundle', async () => {
  const file = join(world.folder, 'bundle.json');
  await json('support-bundle', '--out', file);
  const text = await readFile(file, 'utf8');
  const bundle = JSON.parse(text);
  expect(bundle.doctor.length).toBeGreaterThan(8);
  expect(bundle.runs.length).toBeGreaterThan(2);
  const profile = JSON.parse(await readFile(join(world.home, '.config/healthctl/config.json'), 'utf8'));
  for (const secret of [profile.contexts.local.api_key, profile.contexts.local.refresh_token, ADMIN.email, 'ada@']) {
    expect(text).not.toContain(secret);
  }
  expect(text).not.toMatch(/"value"|bpm|weight_kg/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('completes commands, options, and IDs or emails of resources', async () => {
  const complete = async (...words: string[]) => {
    const { stdout } = await world.healthctl(['__complete', '--', ...words]);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0]);
  };
  expect(await complete('conn')).toEqual(['connections', 'connect-links']);
  expect(await complete('users', 'sh')).toEqual(['show']);
  expect(await complete('users', 'show', user.slice(0, 4))).toEqual([user]);
  expect(await complete('data', 'body', '--user', 'ada@')).toEqual(['ada@clinic.example']);
  expect(await complete('sync', 'run', '--provider', 'goo')).toEqual(['google']);
  expect(await complete('runs', 'show', 'xml_')).toEqual(expect.arrayContaining([expect.stringMatching(/^xml_/)]));
  expect(await complete('users', 'list', '--sort', 'em')).toEqual(['email']);
  const { id } = await json('keys', 'create', '--name', 'Completed');
  expect(await complete('keys', 'revoke', id.slice(0, 6))).toEqual([id]);
  const { app_id } = await json('apps', 'create', 'Completed');
  expect(await complete('tokens', 'create', '--app', '')).toContain(app_id);
  expect(await complete('developers', 'show', 'ada')).toEqual([ADMIN.email]);
  await json('invitations', 'create', 'cleo@clinic.example');
  expect(await complete('invitations', 'revoke', 'cleo')).toEqual(['cleo@clinic.example']);
  expect(await complete('--context', 'lo')).toEqual(['local']);
  expect(await complete('users', 'list', '--ord')).toEqual(['--order']);
});
