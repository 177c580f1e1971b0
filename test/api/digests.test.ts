import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CopiedRow, differences, digestsOf, snapshotOf } from '../support/feed-copy.js';
import { startSecondService, startTestService } from '../support/service.js';
import { samplesEvery, sleepStage } from '../support/records.js';
import { writeRecords } from '../support/recorded-user.js';

type Service = Awaited<ReturnType<typeof startTestService>>;

let service: Service;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

/** Creates a user with heart rates, steps and a night. Returns the user's ID. */
async function recordedUser(): Promise<string> {
  const { body } = await service.call('POST', '/api/v1/users', {});
  const { id } = body as { id: string };
  const { userKey } = (await service.users.find(id)) as { userKey: number };
  await writeRecords(service, userKey, [
    ...samplesEvery('heart_rate', '2026-03-10T12:00Z', 60, [60, 61, 62]),
    ...samplesEvery('steps', '2026-03-11T12:00Z', 60, [100, 200]),
    sleepStage('light', '2026-03-10T22:00Z', '2026-03-11T05:00Z'),
  ]);
  return id;
}

async function snapshot(id: string, query = '') {
  const { status, headers, body } = await service.call('GET', `/api/v1/users/${id}/export/snapshot${query}`);
  expect(status).toBe(200);
  expect(headers.get('Content-Type')).toBe('application/x-ndjson');
  return snapshotOf(body);
}

async function digest(id: string, query = 'from=2026-01-01&to=2026-12-31') {
  return service.call('GET', `/api/v1/users/${id}/digest?${query}`);
}

describe('digests', () => {
  it('verify a copy of a snapshot', async () => {
    const id = await recordedUser();
    const { rows, digestKey, position } = await snapshot(id);
    const { status, body } = await digest(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user_id: id,
      position,
      stored: { from: '2026-03-10', to: '2026-03-11' },
      expired: [],
    });
    expect(body.items.length).toBeGreaterThanOrEqual(3);
    expect(differences(digestsOf(digestKey, rows), body.items)).toEqual([]);
  });

  it('reject ranges that are reversed, too long or not dates', async () => {
    const id = await recordedUser();
    for (const query of ['from=2026-03-02&to=2026-03-01', 'from=2025-01-01&to=2026-01-02', 'from=March&to=April', '']) {
      expect((await digest(id, query)).status, query).toBe(422);
    }
    expect((await digest(id, 'from=2025-01-01&to=2026-01-01')).status).toBe(200);
  });

  it('are missing for an erased user', async () => {
    const id = await recordedUser();
    await digest(id);
    const { call: asDeveloper } = await service.logIn();
    expect((await asDeveloper('DELETE', `/api/v1/users/${id}`)).status).toBe(200);
    expect((await digest(id)).status).toBe(404);
    const { rows } = await service.pool.query(
      `select from (select user_key from user_digest union all select user_key from day_digest) kept
        where user_key not in (select user_key from health_user)`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a snapshot', () => {
  it('contains the sample IDs that time series return', async () => {
    const id = await recordedUser();
    const { rows } = await snapshot(id, '?kinds=samples');
    const range = 'start_time=2026-03-01&end_time=2026-04-01&types=heart_rate&types=steps';
    const { body } = await service.call('GET', `/api/v1/users/${id}/timeseries?${range}&include_ids=true`);
    const listed = (body.data as { id: string }[]).map((sample) => sample.id);
    expect(listed.toSorted()).toEqual(rows.map((row) => row.id).toSorted());
    const plain = await service.call('GET', `/api/v1/users/${id}/timeseries?${range}`);
    expect(plain.body.data[0]).not.toHaveProperty('id');
  });

  it('can be limited by date, kind and type', async () => {
    const id = await recordedUser();
    const names = (rows: CopiedRow[]) =>
      [...new Set(rows.map(({ kind, type, day }) => `${kind} ${type} ${day}`))].sort();
    expect(names((await snapshot(id)).rows)).toEqual([
      'samples heart_rate 2026-03-10',
      'samples steps 2026-03-11',
      'sleep sleep 2026-03-11',
    ]);
    expect(names((await snapshot(id, '?from=2026-03-11')).rows)).toEqual([
      'samples steps 2026-03-11',
      'sleep sleep 2026-03-11',
    ]);
    expect(names((await snapshot(id, '?to=2026-03-10')).rows)).toEqual(['samples heart_rate 2026-03-10']);
    expect(names((await snapshot(id, '?kinds=samples&types=steps,weight')).rows)).toEqual(['samples steps 2026-03-11']);
    expect(names((await snapshot(id, '?kinds=sleep')).rows)).toEqual(['sleep sleep 2026-03-11']);
  });

  it('rejects an unknown kind', async () => {
    const id = await recordedUser();
    expect((await service.call('GET', `/api/v1/users/${id}/export/snapshot?kinds=sleeep`)).status).toBe(422);
  });

  it('continues with the changes after its cursor', async () => {
    const id = await recordedUser();
    const { after, position } = await snapshot(id);
    const { userKey } = (await service.users.find(id)) as { userKey: number };
    await writeRecords(service, userKey, samplesEvery('heart_rate', '2026-03-12T12:00Z', 60, [70]));
    const { body } = await service.call('GET', `/api/v1/users/${id}/changes?after=${after}&kinds=samples`);
    expect(body.items).toMatchObject([{ position: position + 1, days: [{ from: '2026-03-12', to: '2026-03-12' }] }]);
  });

  it('returns 429 while the same key reads another snapshot of the user', async () => {
    const id = await recordedUser();
    // The snapshot waits for this lock on a table that it reads.
    const client = await service.pool.connect();
    await client.query('begin');
    await client.query('lock table health_score in access exclusive mode');
    const first = snapshot(id);
    await expect
      .poll(async () => {
        const { rows } = await client.query(
          `select from pg_locks where relation = 'health_score'::regclass and not granted`,
        );
        return rows.length;
      })
      .toBe(1);
    const second = await service.call('GET', `/api/v1/users/${id}/export/snapshot?kinds=workout`);
    await client.query('commit');
    client.release();
    expect(second.status).toBe(429);
    expect((await first).rows.length).toBeGreaterThan(0);
    expect((await service.call('GET', `/api/v1/users/${id}/export/snapshot?kinds=workout`)).status).toBe(200);
  });
});

/** Runs work while snapshots wait for a lock on a table that they read. */
async function whileSnapshotsWait<T>(work: (waiting: (count: number) => Promise<void>) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table health_score in access exclusive mode');
  const waits = `select from pg_locks where relation = 'health_score'::regclass and not granted`;
  try {
    return await work((count) => expect.poll(async () => (await client.query(waits)).rowCount).toBe(count));
  } finally {
    await client.end();
  }
}

describe('the limit of snapshots', () => {
  it('lets two keys read one user at the same time', async () => {
    const id = await recordedUser();
    const { call: asDeveloper } = await service.logIn();
    const { body: second } = await asDeveloper('POST', '/api/v1/developer/api-keys', { name: 'Second' });
    const path = `/api/v1/users/${id}/export/snapshot`;
    const both = await whileSnapshotsWait(async (waiting) => {
      const started = [
        service.call('GET', path),
        service.anonymous('GET', path, undefined, { 'X-Service-API-Key': second.key }),
      ];
      await waiting(2);
      return started;
    });
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('applies to all processes of a database', async () => {
    const id = await recordedUser();
    const other = await startSecondService(service.database);
    const path = `/api/v1/users/${id}/export/snapshot`;
    const key = { 'X-Service-API-Key': service.first.apiKey };
    const started = await whileSnapshotsWait(async (waiting) => {
      const first = service.call('GET', path);
      await waiting(1);
      expect((await other.anonymous('GET', `${path}?kinds=workout`, undefined, key)).status).toBe(429);
      return [first];
    });
    expect((await Promise.all(started)).map(({ status }) => status)).toEqual([200]);
    expect((await other.anonymous('GET', `${path}?kinds=workout`, undefined, key)).status).toBe(200);
    await other.stop();
  });

  it('frees the slot of a client that disconnects', async () => {
    const id = await recordedUser();
    const path = `/api/v1/users/${id}/export/snapshot`;
    await whileSnapshotsWait(async (waiting) => {
      const leaving = new AbortController();
      const left = fetch(`${service.url}${path}`, {
        headers: { 'X-Service-API-Key': service.first.apiKey },
        signal: leaving.signal,
      })
        .then((response) => response.text())
        .catch(() => 'left');
      await waiting(1);
      expect((await service.call('GET', `${path}?kinds=workout`)).status).toBe(429);
      leaving.abort();
      expect(await left).toBe('left');
      await expect.poll(async () => (await service.call('GET', `${path}?kinds=workout`)).status).toBe(200);
    });
  });
});

describe('the limit of digests', () => {
  it('rejects the fifth concurrent computation', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, recordedUser));
    const client = new pg.Client({ connectionString: service.database.url });
    await client.connect();
    await client.query('begin');
    await client.query('lock table user_digest in access exclusive mode');
    const requests = ids.map((id) => digest(id).then(({ status }) => status));
    expect(await Promise.race(requests)).toBe(429);
    await client.end();
    expect((await Promise.all(requests)).toSorted()).toEqual([200, 200, 200, 200, 429]);
  });
});

describe('digests and snapshots', () => {
  it('return 409 while the feed is off', async () => {
    const off = await startTestService({ settings: { feed: 'off' } });
    const { body } = await off.call('POST', '/api/v1/users', {});
    const path = `/api/v1/users/${(body as { id: string }).id}`;
    expect((await off.call('GET', `${path}/digest?from=2026-01-01&to=2026-01-02`)).status).toBe(409);
    expect((await off.call('GET', `${path}/export/snapshot`)).status).toBe(409);
    await off.stop();
  });
});
