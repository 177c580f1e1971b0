import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { getUser, login, pushDeviceData } from '@healthd/contract';
import {
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_HOUR,
  type SeriesCode,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import { writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, type DaemonHome, inDatabase, newHome, runHealthd, startDaemon } from '../support/daemon.js';
import { recordedUser } from '../support/recorded-user.js';
import { mountSmallDisk } from '../support/small-disk.js';
import { type StoredTable, storedRows } from '../support/stored-rows.js';
import { ended, importFile, newUser, upload } from './imports.js';

const home = newHome();
const exported = join(home.folder, 'export.zip');
const whileRunning = join(home.folder, 'running.healthd');
const whileStopped = join(home.folder, 'stopped.healthd');
let user: string;
let rows: Record<string, StoredTable>;
/** A user with six overlapping sources, and the responses before the backup. */
let sixSourceUser: { user: string; answers: unknown[] };
/** An upload that the service has accepted but not imported. */
let waiting: { user: string; runId: string };

beforeAll(async () => {
  await writeExport(exported, { days: 30, endDate: '2026-04-08', density: 'light' });
  const daemon = await startDaemon({ home });
  user = await newUser(daemon);
  await importFile(daemon, user, exported);
  rows = await rowsOf(home, user);
  const wearer = await inDatabase(home, (pool) => recordedUser({ pool }, ...sixSources()));
  sixSourceUser = { user: wearer.id, answers: await answersAbout(daemon, wearer.id) };
  expect(await runHealthd(home, ['backup', whileRunning])).toMatchObject({ code: 0 });
  await daemon.stop();

  // A process that accepts uploads but does not import them.
  const api = await startDaemon({ home, args: ['--role', 'api'] });
  waiting = { user: await newUser(api), runId: '' };
  waiting.runId = (await upload(api, waiting.user, exported)).run_id;
  await api.stop();
  expect(await runHealthd(home, ['backup', whileStopped])).toMatchObject({ code: 0 });
});

describe('a backup', () => {
  it('of a running service restores all rows, password and key', async () => {
    const restored = await restoredFrom(whileRunning);
    try {
      expect(await rowsOf(restored.home, user)).toEqual(rows);
      await expectCredentialsWork(restored);
      expect(await answersAbout(restored, sixSourceUser.user)).toEqual(sixSourceUser.answers);
      await expectWritesWork(restored);
    } finally {
      await restored.stop();
    }
  });

  it('is tested with a user whose summaries name three providers', () => {
    const named = JSON.stringify(sixSourceUser.answers.slice(0, 3));
    for (const provider of ['apple', 'oura', 'polar']) expect(named).toContain(`"provider":"${provider}"`);
  });

  it('of a stopped service includes an upload that is imported later', async () => {
    const restored = await restoredFrom(whileStopped);
    try {
      expect((await ended(restored, waiting.runId)).status).toBe('success');
      expect(await rowsOf(restored.home, waiting.user)).toEqual(rows);
      expect(await rowsOf(restored.home, user)).toEqual(rows);
      await expectCredentialsWork(restored);
      expect(readdirSync(join(restored.home.dataDir, 'spool'))).toEqual([]);
    } finally {
      await restored.stop();
    }
  });

  it('is readable only by its owner', () => {
    for (const path of [whileRunning, whileStopped]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('leaves no temporary file', () => {
    expect(readdirSync(home.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('starting a restored copy', () => {
  it("keeps healthctl's URL while the original is running", async () => {
    // Uses the role `api`, which runs no jobs. A later test needs the upload that waits in the spool.
    const original = await startDaemon({ home, args: ['--role', 'api'] });
    const context = () => JSON.parse(readFileSync(home.profilePath, 'utf8'));
    const before = context();
    const account = { HOME: join(home.folder, 'home') };
    let copy: Daemon | undefined;
    try {
      copy = await restoredFrom(whileRunning, account);
      const url = copy.url.replace('127.0.0.1', 'localhost');
      const { host } = new URL(url);
      expect(context()).toEqual({
        ...before,
        contexts: { ...before.contexts, [host]: { ...before.contexts.local, url } },
      });
      expect(copy.output.stdout).toContain(
        `  healthctl still calls ${before.contexts.local.url} (context local), because that URL responds.\n` +
          `            This service is stored as context ${host}: pass --context ${host}\n`,
      );
      expect(copy.output.stdout).toContain(`npm run -s healthctl -- --context ${host} users create`);

      await copy.stop();
      copy = await startDaemon({ home: copy.home, env: account });
      const moved = copy.url.replace('127.0.0.1', 'localhost');
      expect(context().contexts).toEqual({
        ...before.contexts,
        [host]: { ...before.contexts.local, url: moved },
      });
      expect(copy.output.stdout).toContain(
        `  healthctl now calls this service at ${moved} (context ${host}), because ${url} does not respond`,
      );
    } finally {
      await copy?.stop();
      await original.stop();
    }
  });
});

describe('a backup of a sandbox', () => {
  it('restores as a sandbox if started with the printed setting', async () => {
    const settings = { SANDBOX: 'true', HISTORICAL_SYNC_ON_CONNECT: 'false', API_BASE_URL: 'http://localhost:1' };
    const sandbox = await startDaemon({ env: settings });
    const path = join(sandbox.home.folder, 'sandbox.healthd');
    const copied = Object.assign(newHome(), { apiKey: sandbox.apiKey });
    let copy: Daemon | undefined;
    try {
      const user = await newUser(sandbox);
      await inDatabase(sandbox.home, (pool) =>
        pool.query(
          `insert into connection (id, user_key, provider, status, access_token)
           select gen_random_uuid(), user_key, 'google', 'expired', sealed from health_user, encryption_key_check
            where id = $1`,
          [user],
        ),
      );
      expect(await runHealthd(sandbox.home, ['backup', path])).toMatchObject({ code: 0 });
      const restore = await runHealthd(copied, ['restore', path]);
      expect(restore.stdout).toContain(`Start the service with: SANDBOX=true DATA_DIR=${copied.dataDir} npm start\n`);
      copy = await startDaemon({ home: copied, env: settings });
      expect(copy.output.stdout).toContain('  Sandbox   simulated: ');
    } finally {
      await copy?.stop();
      await sandbox.stop();
    }
  });
});

describe('a backup that cannot be written', () => {
  it('reports a missing folder in one line', async () => {
    const log = readFileSync(join(home.dataDir, 'postgres.log'), 'utf8');
    const rejected = await runHealthd(home, ['backup', join(home.folder, 'nowhere', 'x.healthd')]);
    expect(rejected.code).toBe(1);
    expect(readFileSync(join(home.dataDir, 'postgres.log'), 'utf8'), 'the database is not started').toBe(log);
    expect(lastLine(rejected.stderr)).toMatch(/^healthd: \S+x\.healthd cannot be written \(ENOENT\)\. /);
  });

  const disk = mountSmallDisk(1);
  afterAll(() => disk.unmount());
  it.skipIf(disk.missing !== undefined)(
    `reports a full disk without leaving a temporary file${disk.missing ?? ''}`,
    async () => {
      writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(1_000_000));
      const rejected = await runHealthd(home, ['backup', join(disk.folder, 'full.healthd')]);
      expect(rejected.code).toBe(1);
      expect(lastLine(rejected.stderr)).toMatch(/^healthd: \S+full\.healthd cannot be written \(ENOSPC\)\. /);
      expect(readdirSync(disk.folder)).toEqual(['ballast']);
    },
  );

  it('names a link in the spool without reading its target', async () => {
    const path = join(home.folder, 'spool-link.healthd');
    const secret = join(home.folder, 'secret');
    writeFileSync(secret, 'not for the backup');
    const spool = join(home.dataDir, 'spool');
    const [name = ''] = readdirSync(spool);
    renameSync(join(spool, name), join(home.folder, name));
    symlinkSync(secret, join(spool, name));
    const rejected = await runHealthd(home, ['backup', path]);
    rmSync(join(spool, name));
    renameSync(join(home.folder, name), join(spool, name));
    expect(rejected.code).toBe(1);
    expect(lastLine(rejected.stderr)).toMatch(/^healthd: \S+ is not a file of the service\. /);
    expect(readdirSync(home.folder).filter((each) => each.startsWith('spool-link'))).toEqual([]);
  });
});

describe('a restore', () => {
  it('never replaces existing data', async () => {
    const rejected = await runHealthd(home, ['restore', whileRunning]);
    expect(rejected.code).toBe(1);
    expect(lastLine(rejected.stderr)).toMatch(/^healthd: The database already contains data\. /);
    const daemon = await startDaemon({ home });
    try {
      expect(await rowsOf(home, user)).toEqual(rows);
      await expectCredentialsWork(daemon);
    } finally {
      await daemon.stop();
    }
  });

  const empty = newHome();
  afterAll(() => expect(existsSync(join(empty.dataDir, 'keys.env')), 'no keys without data').toBe(false));

  it.each([
    ['does not exist', async () => undefined, /does not exist/],
    ['has a flipped byte', async (path: string) => flip(path), /damaged|cannot be read/],
  ])('of a file that %s is rejected in one line', async (_, make, message) => {
    const path = join(empty.folder, `backup-${Math.random()}`);
    await make(path);
    const rejected = await runHealthd(empty, ['restore', path]);
    expect({ code: rejected.code, stdout: rejected.stdout }).toEqual({ code: 1, stdout: '' });
    expect(lastLine(rejected.stderr)).toMatch(message);
    expect(rejected.stderr.match(/^healthd: /gm), rejected.stderr).toHaveLength(1);
    expect(rejected.stderr).not.toMatch(/^ {4}at /m);
  });
});

/** Restores into an empty home and starts a service there with the first service's credentials. */
async function restoredFrom(path: string, env: Record<string, string> = {}): Promise<Daemon> {
  const place = newHome();
  // The backup contains the keys, so a restore must not read the files that the environment names.
  const keyFiles = {
    SIGNING_KEY_FILE: join(place.folder, 'no-key'),
    ENCRYPTION_KEY_FILE: join(place.folder, 'no-key'),
  };
  const restore = await runHealthd(place, ['restore', path], keyFiles);
  expect(restore, restore.stderr).toMatchObject({ code: 0 });
  expect(restore.stdout).toContain(`Start the service with: DATA_DIR=${place.dataDir} npm start\n`);
  const { email, password, apiKey } = home;
  const daemon = await startDaemon({ home: Object.assign(place, { email, password, apiKey }), env });
  expect(daemon.output.stdout).not.toContain('First start');
  return daemon;
}

const FIRST_DAY = Date.parse('2026-03-09T00:00:00Z');

/** Returns three days of alternating, overlapping sources. The first stored source ranks last by every criterion. */
function sixSources(): HealthRecord[] {
  const sources: SourceIdentity[] = [
    { provider: 'apple', writer: 'Sleeper' },
    { provider: 'oura', deviceModel: 'Oura Ring 4', deviceType: 'ring', account: 'b' },
    { provider: 'oura', deviceModel: 'Oura Ring 4', deviceType: 'ring', account: 'a' },
    { provider: 'apple', deviceModel: 'iPhone15,2', deviceType: 'phone', writer: 'Phone' },
    { provider: 'polar', deviceModel: 'Vantage V3', deviceType: 'watch', account: 'p' },
    { provider: 'apple', deviceModel: 'Watch6,2', deviceType: 'watch', writer: 'Watch' },
  ];
  return sources.flatMap((source, place) =>
    [0, 1, 2].flatMap((day): HealthRecord[] => {
      const midnight = FIRST_DAY + day * MS_PER_DAY;
      const has = (what: number) => (place + day + what) % 3 > 0;
      const measured = (code: SeriesCode, hour: number, value: number): HealthRecord => ({
        kind: 'sample',
        source,
        typeId: seriesTypeByCode(code).id,
        sampleKind: 'sample',
        startMs: midnight + hour * MS_PER_HOUR,
        offsetMinutes: 0,
        value,
      });
      const startMs = midnight - 2 * MS_PER_HOUR;
      const hours = place === 5 && day === 1 ? 3 : 7;
      return [
        ...(has(0) ? [measured('steps', 9, 8000 - 100 * place), measured('energy', 9, 300 + place)] : []),
        ...(has(1)
          ? [measured('heart_rate', 2, 50 + place), measured('heart_rate_variability_rmssd', 2, 40 + place)]
          : []),
        ...(has(2)
          ? [
              {
                kind: 'sleep_session' as const,
                source,
                startMs,
                endMs: startMs + hours * MS_PER_HOUR,
                isNap: false,
                offsetMinutes: 0,
              },
            ]
          : []),
      ];
    }),
  );
}

/** Returns summaries, their explanations, and lists that contain only the selected source of each day. */
async function answersAbout(daemon: Daemon, userId: string): Promise<unknown[]> {
  const range = 'start_date=2026-03-01&end_date=2026-03-31&limit=100';
  const explained = [0, 1, 2].flatMap((day) => {
    const date = new Date(FIRST_DAY + day * MS_PER_DAY).toISOString().slice(0, 10);
    return ['activity', 'sleep', 'recovery'].map((summary) => `summaries/${summary}/explain?date=${date}`);
  });
  const paths = [
    ...['activity', 'sleep', 'recovery'].map((summary) => `summaries/${summary}?${range}`),
    `summaries/activity?${range}&merge=interval`,
    `events/sleep?${range}&filter_by_priority=true`,
    `timeseries/heart_rate?${range}&filter_by_priority=true`,
    ...explained,
  ];
  const responses: unknown[] = [];
  for (const path of paths) {
    const headers = { 'X-Service-API-Key': daemon.apiKey };
    const response = await fetch(`${daemon.url}/api/v1/users/${userId}/${path}`, { headers });
    expect(response.status, path).toBe(200);
    responses.push(await response.json());
  }
  return responses;
}

async function expectCredentialsWork(daemon: Daemon): Promise<void> {
  const { email = '', password = '' } = home;
  expect(await daemon.client.call(getUser, { params: { user_id: user } })).toMatchObject({ id: user });
  const tokens = await daemon.client.call(login, { body: { username: email, password } });
  expect(tokens.access_token).toBeTruthy();
}

/** Fails unless a restored service creates keys and users, and accepts pushes and imports of new and old users. */
async function expectWritesWork(daemon: Daemon): Promise<void> {
  const { client } = daemon;
  const { access_token: token } = await client.call(login, {
    body: { username: home.email ?? '', password: home.password ?? '' },
  });
  const key = await fetch(`${daemon.url}/api/v1/developer/api-keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'after the restore' }),
  });
  expect(key.status).toBe(201);
  for (const of of [await newUser(daemon), user]) {
    const { batch_id: batchId } = await client.call(pushDeviceData, {
      params: { user_id: of },
      body: {
        provider: 'samsung',
        sdkVersion: '1.0.0',
        syncTimestamp: '2026-04-08T12:00:00Z',
        data: {
          records: [
            {
              id: 'after-1',
              type: 'STEP_COUNT',
              startDate: '2026-04-08T08:00:00Z',
              endDate: '2026-04-08T08:10:00Z',
              zoneOffset: '+02:00',
              value: 120,
              unit: 'count',
            },
          ],
        },
      },
    });
    expect((await ended(daemon, batchId ?? '')).status).toBe('success');
    await importFile(daemon, of, exported);
  }
}

function rowsOf(place: DaemonHome, userId: string): Promise<Record<string, StoredTable>> {
  return inDatabase(place, (pool) => storedRows(pool, userId));
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

/** Writes a copy of the backup with one changed byte in the middle of the file. */
function flip(path: string): void {
  const bytes = readFileSync(whileRunning);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}
