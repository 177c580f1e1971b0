import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { payload, reading } from '../api/push-payloads.js';
import { jsonOf } from './cli-responses.js';
import { ADMIN, startWorld, type World } from './cli-world.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const LAST_DAY = '2026-06-30';
const DAYS = 30;

let world: World;
let exportFile: string;
let truth: Awaited<ReturnType<typeof writeExport>>;

beforeAll(async () => {
  world = await startWorld();
  exportFile = join(world.folder, 'export.zip');
  truth = await writeExport(exportFile, { seed: 7, density: 'light', days: DAYS, endDate: LAST_DAY });
});
afterAll(() => world?.stop());

const json = (args: string[]) => jsonOf(world, args);

async function newUser(): Promise<string> {
  return (await json(['users', 'create', '--first-name', 'Zoë', '--json', 'id'])).id;
}

function events(stdout: string): Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('the first start', () => {
  test('leaves healthctl logged in with an owner-only profile', async () => {
    const who = await json(['whoami']);
    expect(who).toMatchObject({ url: world.url, context: 'local', developer: ADMIN.email, accepted: true });
    const profile = await stat(join(world.home, '.config/healthctl/config.json'));
    expect(profile.mode & 0o777).toBe(0o600);
  });

  test('passes every check of the doctor', async () => {
    const findings: { check: string; state: string }[] = await json(['doctor']);
    expect(findings.filter(({ state }) => state === 'failed' || state === 'warning')).toEqual([]);
    const checks = [
      'address',
      'service',
      'database',
      'jobs',
      'clocks',
      'credential',
      'login',
      'versions',
      'db clock',
      'room',
      'job lag',
      'secrets',
      'feed',
      'API keys',
      'data',
      'runs',
      'consents',
      'accounts',
      'webhooks',
      'providers',
      'console',
    ];
    expect(findings.map(({ check }) => check)).toEqual(checks);
  });
});

describe('users', () => {
  test('can be managed from creation to deletion', async () => {
    const user = await json(['users', 'create', '--email', 'bo@clinic.example', '--last-name', '=1+1']);
    expect(await json(['users', 'show', user.id])).toEqual(user);
    const found = await json(['users', 'list', '--email', 'bo@clinic.example', '--json', 'id,email']);
    expect(found).toEqual([{ id: user.id, email: 'bo@clinic.example' }]);
    const csv = await world.healthctl(['users', 'list', '--email', 'bo@clinic.example', '-o', 'csv']);
    expect(csv.stdout).toContain(`${user.id},bo@clinic.example,,'=1+1,`);
    await json(['users', 'delete', user.id, '--yes']);
    const deleted = await world.healthctl(['users', 'show', user.id]);
    expect(deleted.code).toBe(1);
    expect(JSON.parse(deleted.stderr)).toMatchObject({ code: 'not_found', request_id: expect.any(String) });
  });

  test('are not deleted without --yes or a terminal', async () => {
    const id = await newUser();
    const rejected = await world.healthctl(['users', 'delete', id]);
    expect(rejected.code).toBe(2);
    expect(JSON.parse(rejected.stderr)).toMatchObject({ code: 'input_needed' });
    expect((await json(['users', 'show', id])).id).toBe(id);
  });

  test('change their time zone only with --yes', async () => {
    const id = (await json(['users', 'create', '--time-zone', 'Europe/Berlin'])).id;
    const at = '2026-03-11T01:00:00Z';
    const steps = { type: 'STEP_COUNT', startDate: at, endDate: at, zoneOffset: null, value: 100, unit: 'count' };
    const push = { provider: 'samsung', sdkVersion: '1', syncTimestamp: at, data: { records: [steps] } };
    await json(['api', 'post', `/sdk/users/${id}/sync`, '-d', JSON.stringify(push)]);
    const change = ['users', 'update', id, '--time-zone', 'America/New_York'];
    const moved = { count: 2, first_date: '2026-03-10', last_date: '2026-03-11' };
    await vi.waitFor(
      async () =>
        expect(await json([...change, '--dry-run'])).toMatchObject({ time_zone: 'Europe/Berlin', moved_days: moved }),
      { timeout: 120_000, interval: 500 },
    );
    const rejected = await world.healthctl(change);
    expect(rejected.code).toBe(2);
    expect(JSON.parse(rejected.stderr.split('\n').at(-2) ?? '')).toMatchObject({ code: 'input_needed' });
    expect((await json(['users', 'show', id])).time_zone).toBe('Europe/Berlin');
    expect(await json([...change, '--yes'])).toMatchObject({ time_zone: 'America/New_York', moved_days: moved });
    expect(await json(['users', 'update', id, '--clear-time-zone', '--yes'])).toMatchObject({ time_zone: null });
    const none = await world.healthctl(['users', 'update', id, '--time-zone', 'Middle/Earth', '--yes']);
    expect(none.code).not.toBe(0);
    expect(none.stderr).toContain('such as Europe/Warsaw');
  });
});

test('explains the heart rate of a day in tables', async () => {
  const id = await newUser();
  const date = '2026-03-11';
  const heartRates = ['watch', 'phone'].map((name, at) =>
    reading('HKQuantityTypeIdentifierHeartRate', `${date}T09:0${at}:00Z`, 60 + at, 'count/min', {
      zoneOffset: '+00:00',
      source: { deviceName: name, deviceType: name },
    }),
  );
  await json(['api', 'post', `/sdk/users/${id}/sync`, '-d', JSON.stringify(payload('apple', { records: heartRates }))]);
  const explain = ['data', 'explain', date, '--user', id];
  await vi.waitFor(async () => expect((await json(explain)).groups).not.toEqual([]), {
    timeout: 120_000,
    interval: 500,
  });
  const table = await world.healthctl([...explain, '--output', 'table']);
  const [head, ...rows] = table.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/).map((cell) => cell.trim()));
  expect(head).toEqual(['Group', 'Rank', 'Source', 'Value', 'Unit', 'Result', 'Figure']);
  expect(rows).toEqual([
    ['heart_rate', '1', 'apple watch', '60', 'bpm', 'selected', 'heart_rate.avg_bpm'],
    ['heart_rate', '2', 'apple phone', '61', 'bpm', 'lower_class', 'heart_rate.avg_bpm'],
  ]);
  const csv = await world.healthctl([...explain, '--output', 'csv']);
  expect(csv.stdout.trimEnd().split('\n').slice(1)).toEqual([
    ',bpm,60,apple,watch,,60,,true,,heart_rate,heart_rate.avg_bpm,1',
    ',bpm,60,apple,phone,,61,,false,lower_class,heart_rate,heart_rate.avg_bpm,2',
  ]);
});

describe('an import', () => {
  test('stores every day once, even when repeated', async () => {
    const id = await newUser();
    const first = await world.healthctl(['import', exportFile, '--user', id]);
    expect(first.code, first.stderr).toBe(0);
    const reported = events(first.stdout);
    expect(reported.filter(({ event }) => event === 'result')).toHaveLength(1);
    expect(reported.at(-1)).toMatchObject({ event: 'result', status: 'success', rejected: 0, unchanged: 0 });
    // A night whose stages arrive in two batches is inserted with the first batch and updated with the second.
    expect(reported.at(-1)?.updated).toBeLessThan(10);
    expect(reported.at(-1)?.inserted).toBeGreaterThan(1000);

    const range = ['--from', `${DAYS}d`, '--to', LAST_DAY];
    const days: { date: string; steps: number | null }[] = await json(['data', 'activity', '--user', id, ...range]);
    const walked = days.filter(({ steps }) => steps !== null);
    expect(walked).toHaveLength(DAYS);
    for (const { date, steps } of walked) {
      // One device's steps, never the sum of phone and watch.
      const known = Object.values(truth.days[date] ?? {}).map((device) => Math.round(device.steps));
      expect(known, date).toContain(steps);
    }
    const day = walked.at(-1);
    const explain = ['data', 'explain', day?.date ?? '', '--user', id, '--merge', 'source'];
    const { metrics } = await json(explain);
    expect(metrics[0]).toMatchObject({ type: 'steps', value: day?.steps });
    const table = await world.healthctl([...explain, '--output', 'csv']);
    expect(table.stdout.split('\n')[1]).toMatch(/^steps,count,\d+,apple,.*,true,,,,$/);
    const ofBody = ['data', 'explain', 'today', '--user', id, '--summary', 'body'];
    const { groups } = await json(ofBody);
    expect(groups[0]).toMatchObject({ group: 'weight', lead_figure: 'slow_changing.weight_kg', unit: 'kg' });
    const path = `/users/${id}/summaries/body/explain?date=${LAST_DAY}`;
    expect(await json(['data', 'explain', LAST_DAY, ...ofBody.slice(3)])).toEqual(await json(['api', 'get', path]));
    const weights = await world.healthctl([...ofBody, '--output', 'csv']);
    expect(weights.stdout.split('\n')[0]).toBe(
      'group,rank,provider,device,figure,value,unit,measured_at,lost_by,minutes_missed',
    );
    const merged = await world.healthctl([...ofBody, '--merge', 'source']);
    expect([merged.code, merged.stderr]).toEqual([2, expect.stringContaining('--merge')]);

    const again = events((await world.healthctl(['import', exportFile, '--user', id])).stdout);
    expect(again.at(-1)).toMatchObject({ event: 'result', status: 'success', inserted: 0, updated: 0 });
  });

  test('is printed with the attribution that the operator requires', async () => {
    const id = await newUser();
    expect((await world.healthctl(['import', exportFile, '--user', id])).code).toBe(0);
    const demand = ['attribution=Data by Apple', '--reason', 'Contract of 2026-10-01'];
    await json(['providers', 'terms', 'apple', '--set', ...demand]);
    const query = ['data', 'activity', '--user', id, '--from', '3d', '--to', LAST_DAY, '--output'];
    const [head, first] = (await world.healthctl([...query, 'csv'])).stdout.split('\n');
    expect([head?.split(',').at(-1), first?.split(',').at(-1)]).toEqual(['attribution', 'Data by Apple']);
    const line = (await world.healthctl([...query, 'ndjson'])).stdout.split('\n')[0] ?? '';
    expect(JSON.parse(line)).toMatchObject({ attribution: 'Data by Apple' });
    expect((await world.healthctl([...query, 'table'])).stderr).toContain('Attribution: Data by Apple\n');
    const body = ['data', 'body', '--user', id, '--output'];
    const [names, values] = (await world.healthctl([...body, 'csv'])).stdout.split('\n');
    expect([names?.split(',').at(-1), values?.split(',').at(-1)]).toEqual(['attribution', 'Data by Apple']);
    expect((await world.healthctl([...body, 'table'])).stderr).toContain('Attribution: Data by Apple\n');
    await json(['providers', 'terms', 'apple', '--reset', 'attribution']);
    expect((await world.healthctl([...query, 'csv'])).stdout).not.toContain('Data by Apple');
  });

  test('returns the same samples in pages as in one request', async () => {
    const id = await newUser();
    const stored = await world.healthctl(['import', exportFile, '--user', id, '--no-wait']);
    expect(events(stored.stdout).at(-1)).toMatchObject({ event: 'result', status: 'processing' });
    const [run] = await json(['runs', 'list', '--user', id, '--json', 'run_id']);
    expect((await world.healthctl(['runs', 'watch', run.run_id])).code).toBe(0);
    const query = ['data', 'timeseries', '--user', id, '-t', 'heart_rate', '--from', '3d', '--to', LAST_DAY];
    const all: unknown[] = await json([...query, '--all']);
    const head = await world.healthctl([...query, '--limit', '100']);
    const cursor = /--cursor (\S+)/.exec(head.stderr)?.[1] ?? '';
    const rest: unknown[] = await json([...query, '--all', '--cursor', cursor]);
    expect([...JSON.parse(head.stdout), ...rest]).toEqual(all);
  });

  test('keeps the read part of a truncated file', async () => {
    const id = await newUser();
    const file = join(world.folder, 'cut.xml');
    const record = '<Record type="HKQuantityTypeIdentifierStepCount" sourceName="p" unit="count" value="9" ';
    const dates = 'startDate="2026-06-01 08:00:00 +0200" endDate="2026-06-01 08:05:00 +0200"/>';
    await writeFile(file, `<?xml version="1.0"?>\n<HealthData locale="en">\n ${record}${dates}\n ${record}`);
    const { code, stdout } = await world.healthctl(['import', file, '--user', id]);
    expect(events(stdout).at(-1)).toMatchObject({ event: 'result', status: 'partial', inserted: 1 });
    expect(code).toBe(3);
  });

  test('exits with 1 for a file without an export', async () => {
    const id = await newUser();
    const file = join(world.folder, 'other.xml');
    await writeFile(file, '<?xml version="1.0"?><feed></feed>');
    const { code, stdout } = await world.healthctl(['import', file, '--user', id]);
    expect(events(stdout).at(-1)).toMatchObject({ event: 'result', status: 'failed', error: expect.any(String) });
    expect(code).toBe(1);
  });

  test('rejects an unknown user immediately with exactly one result', async () => {
    const { code, stdout } = await world.healthctl(['import', exportFile, '--user', NOBODY]);
    expect(code).toBe(1);
    expect(events(stdout).filter(({ event }) => event === 'result')).toHaveLength(1);
    expect(events(stdout).at(-1)).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
  });

  test('can be watched again after the wait limit', async () => {
    const id = await newUser();
    const { code, stdout } = await world.healthctl(['import', exportFile, '--user', id, '--timeout', '0']);
    expect(code).toBe(6);
    const result = events(stdout).at(-1);
    expect(result).toMatchObject({ event: 'result', status: 'in_progress', error: { code: 'wait_timed_out' } });
    expect((await world.healthctl(['runs', 'watch', String(result?.run_id)])).code).toBe(0);
  });

  test('can be watched after Ctrl-C with the command that healthctl prints', async () => {
    const id = await newUser();
    const { code, stderr } = await world.healthctl(['import', exportFile, '--user', id, '-o', 'table'], {
      watch: (text, child) => text.includes('the run is xml_') && !child.killed && child.kill('SIGINT'),
    });
    expect(code).toBe(130);
    const run = /healthctl runs watch (xml_\w+)/.exec(stderr)?.[1];
    expect((await world.healthctl(['runs', 'watch', String(run)])).code).toBe(0);
  });
});

describe('runs retry', () => {
  test('names the newer run when a user retries a partial import twice', async () => {
    const id = await newUser();
    const partial = join(world.folder, 'partial.xml');
    const record = (value: string) =>
      `<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" creationDate="2026-01-05 08:01:00 +0100" startDate="2026-01-05 08:00:00 +0100" endDate="2026-01-05 08:01:00 +0100" value="${value}"/>`;
    await writeFile(
      partial,
      `<?xml version="1.0"?><HealthData locale="en_PL">${record('10')}${record('many')}</HealthData>`,
    );
    const imported = await world.healthctl(['import', partial, '--user', id, '-o', 'json']);
    expect(imported.code).toBe(3);
    const runId = String(events(imported.stdout).at(-1)?.run_id);
    const retried = await world.healthctl(['runs', 'retry', runId, '-o', 'json']);
    expect(retried.code, retried.stderr).toBe(3);
    const result = events(retried.stdout).at(-1);
    expect(result).toMatchObject({ event: 'result', status: 'partial', metadata: { retry_of: runId } });
    const again = await world.healthctl(['runs', 'retry', runId, '-o', 'json']);
    expect(again.code).toBe(1);
    expect(again.stderr + again.stdout).toContain(String(result?.run_id));
  });
});

describe('credentials', () => {
  test('of concurrent healthctl processes do not overwrite each other', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => json(['whoami'])));
    expect(all.map(({ developer }) => developer)).toEqual(Array(5).fill(ADMIN.email));
    expect((await json(['whoami'])).developer).toBe(ADMIN.email);
  });

  test('from stdin are never printed, not even with --debug', async () => {
    const home = join(world.folder, 'other-home');
    await mkdir(home);
    const profile = JSON.parse(await readFile(join(world.home, '.config/healthctl/config.json'), 'utf8'));
    const key: string = profile.contexts.local.api_key;
    const login = ['login', '--url', world.url, '--context', 'ci', '--with-token', '--debug'];
    const done = await world.healthctl(login, { home, input: `${key}\n` });
    expect(done.code, done.stderr).toBe(0);
    const list = await world.healthctl(['users', 'list', '--debug'], { home });
    expect(list.stderr).toMatch(/GET \/api\/v1\/users\?\S+ 200 \d+ ms [\w-]+/);
    for (const text of [done.stdout, done.stderr, list.stdout, list.stderr]) expect(text).not.toContain(key);
    const rejected = await world.healthctl(['users', 'delete', NOBODY, '--yes'], { home });
    expect(rejected.code).toBe(4);
    expect(JSON.parse(rejected.stderr)).toMatchObject({ code: 'login_needed' });
    await world.healthctl(['logout'], { home });
    expect((await world.healthctl(['users', 'list'], { home })).code).toBe(4);
  });

  test('that are wrong cause a different exit code than an unreachable service', async () => {
    const wrong = { HEALTHCTL_TOKEN: 'sk-00000000000000000000000000000000' };
    const denied = await world.healthctl(['users', 'list'], { env: { ...wrong, HEALTHCTL_URL: world.url } });
    expect(denied.code).toBe(4);
    const away = await world.healthctl(['users', 'list'], { env: { ...wrong, HEALTHCTL_URL: 'http://127.0.0.1:9' } });
    expect(away.code).toBe(5);
    expect(JSON.parse(away.stderr)).toMatchObject({ code: 'unreachable' });
  });
});

test('calls any route with a body from stdin', async () => {
  const made = await world.healthctl(['api', 'post', '/users', '-d', '@-'], { input: '{"first_name":"Api"}' });
  expect(JSON.parse(made.stdout)).toMatchObject({ first_name: 'Api' });
  const wrong = await world.healthctl(['api', 'get', '/users?limit=0']);
  expect(wrong.code).toBe(2);
  expect(JSON.parse(wrong.stderr)).toMatchObject({ code: 'invalid_input' });
});

describe('on a terminal', () => {
  test('shows lists as tables, without color if NO_COLOR is set', async () => {
    await newUser();
    const colored = await world.onTerminal(['users', 'list']);
    expect(colored.stdout).toContain('\u001b[1mID');
    const plain = await world.onTerminal(['users', 'list'], { env: { NO_COLOR: '1' } });
    expect(plain.stdout).toMatch(/^ID +Name +Email/);
    expect(plain.stdout).not.toContain('\u001b');
  });

  test('shows progress bars before the report of an import', async () => {
    const { code, stdout } = await world.onTerminal(['import', exportFile, '--user', await newUser()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Uploading .*█.* 100 %/);
    expect(stdout).toMatch(/Status +success/);
    expect(stdout).toMatch(/Unsupported elements +[\d,]+ \(.*ActivitySummary \d+/);
    expect(stdout).not.toContain('"event"');
  });

  test('deletes a user only after the operator repeats the name', async () => {
    const id = await newUser();
    const answer = (text: string) => {
      let typed = false;
      return (shown: string, child: { stdin: NodeJS.WritableStream | null }) => {
        if (typed || !shown.includes('Type Zo')) return;
        typed = true;
        child.stdin?.write(`${text}\r`);
      };
    };
    const wrong = await world.onTerminal(['users', 'delete', id], { watch: answer('Anna') });
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain('Nothing was deleted');
    const right = await world.onTerminal(['users', 'delete', id], { watch: answer('Zoë') });
    expect(right.code, right.stdout).toBe(0);
    expect((await world.healthctl(['users', 'show', id])).code).toBe(1);
  });

  test('hides the password that is typed to log in', async () => {
    const home = join(world.folder, 'third-home');
    await mkdir(home);
    let typed = false;
    const { code, stdout } = await world.onTerminal(['login', '--url', world.url, '--email', ADMIN.email], {
      home,
      watch: (shown, child) => {
        if (typed || !shown.includes('Password')) return;
        typed = true;
        child.stdin?.write(`${ADMIN.password}\r`);
      },
    });
    expect(code, stdout).toBe(0);
    expect(stdout).not.toContain(ADMIN.password);
    const who = await world.healthctl(['whoami'], { home });
    expect(JSON.parse(who.stdout)).toMatchObject({ developer: ADMIN.email, api_key: null, accepted: true });
  });
});
