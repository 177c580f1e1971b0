import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Call, startTestService, type TestService } from '../support/service.js';
import { COMPLETED, syncRun } from '../support/user-runs.js';

const UNKNOWN = '11111111-2222-4333-8444-555555555555';
let service: TestService;
let developer: Call;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.pool.query('delete from health_user');
});

const create = async (fields: Record<string, unknown> = {}) =>
  (await service.call('POST', '/api/v1/users', fields)).body;

describe('creating a user', () => {
  test('needs no body', async () => {
    const response = await service.call('POST', '/api/v1/users');
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      first_name: null,
      last_name: null,
      email: null,
      external_user_id: null,
      last_synced_at: null,
      last_synced_provider: null,
      time_zone: null,
      has_active_connection: false,
    });
  });

  test.each([[{}], [null], [{ email: null, first_name: null }]])('accepts %j', async (body) => {
    expect((await service.call('POST', '/api/v1/users', body)).status).toBe(201);
  });

  test("lowercases only the email's domain", async () => {
    expect((await create({ email: 'Jo.Doe@Clinic.Example' })).email).toBe('Jo.Doe@clinic.example');
  });

  test('treats Unicode spellings of an email as equal', async () => {
    for (const email of ['m\u00fcller@example.com', 'mu\u0308ller@EXAMPLE.com']) {
      expect((await create({ email })).email).toBe('m\u00fcller@example.com');
    }
    expect((await create({ email: 'a@b\u00fccher.de' })).email).toBe('a@b\u00fccher.de');
    const found = async (email: string) =>
      (await service.call('GET', `/api/v1/users?email=${encodeURIComponent(email)}`)).body.total;
    expect(await found('mu\u0308ller@example.com')).toBe(2);
    await create({ email: 'a@xn--bcher-kva.de' });
    expect(await found('a@xn--bcher-kva.de')).toBe(2);
    expect(await found('a@B\u00dcCHER.de')).toBe(2);
  });

  test('allows two users with one email', async () => {
    const [one, two] = [await create({ email: 'jo@clinic.example' }), await create({ email: 'jo@clinic.example' })];
    expect(one.id).not.toBe(two.id);
  });

  test('rejects a duplicate external ID without logging it', async () => {
    await create({ external_user_id: 'patient-7', email: 'jo@clinic.example' });
    const response = await service.call('POST', '/api/v1/users', { external_user_id: 'patient-7' });
    expect(response.status).toBe(409);
    expect(service.logLines.join('\n')).not.toContain('patient-7');
  });

  test('returns 409 for any duplicate value without logging it', async () => {
    await service.pool.query(
      "create unique index health_user_one_email on health_user (email) where email like '%@unique.example'",
    );
    await create({ email: 'twice@unique.example' });
    const other = await create({ email: 'once@unique.example' });
    const again = await service.call('POST', '/api/v1/users', { email: 'twice@unique.example' });
    const changed = await developer('PATCH', `/api/v1/users/${other.id}`, { email: 'twice@unique.example' });
    await service.pool.query('drop index health_user_one_email');
    for (const response of [again, changed]) {
      expect(response).toMatchObject({ status: 409 });
    }
    expect(service.logLines.join('\n')).not.toContain('twice@');
  });

  test('rejects an ID and other unknown fields', async () => {
    const { status, body } = await service.call('POST', '/api/v1/users', { id: UNKNOWN, admin: true });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject(
      ['id', 'admin'].map((field) => ({ loc: ['body', field], type: 'extra_forbidden' })),
    );
  });

  test.each([
    [{ first_name: 'x'.repeat(101) }, 'first_name', 'string_too_long', 'String should have at most 100 characters'],
    [
      { external_user_id: 'x'.repeat(256) },
      'external_user_id',
      'string_too_long',
      'String should have at most 255 characters',
    ],
    [{ email: 'nobody' }, 'email', 'value_error', 'value is not a valid email address'],
    [{ last_name: 'a\0b' }, 'last_name', 'value_error', 'Value error, text must not contain control characters'],
    [{ first_name: 5 }, 'first_name', 'string_type', 'Input should be a valid string'],
  ])('rejects %j', async (body, field, type, msg) => {
    const response = await service.call('POST', '/api/v1/users', body);
    expect(response.status).toBe(422);
    expect(response.body.detail).toMatchObject([{ loc: ['body', field], type, msg }]);
  });
});

describe('reading a user', () => {
  test('accepts the ID in upper case or without dashes', async () => {
    const { id } = await create();
    for (const form of [id, id.toUpperCase(), id.replaceAll('-', '')]) {
      expect((await service.call('GET', `/api/v1/users/${form}`)).body.id).toBe(id);
    }
  });

  test.each(['GET', 'PATCH', 'DELETE'])('returns 404 to %s of an unknown user', async (method) => {
    const response = await developer(method, `/api/v1/users/${UNKNOWN}`, method === 'PATCH' ? {} : undefined);
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ detail: `User with ID: ${UNKNOWN} not found.` });
  });

  test('shows the newest ended run with data in every response', async () => {
    const { id } = await create();
    await syncRun(service, id, { provider: 'garmin', outcome: COMPLETED });
    await syncRun(service, id, { provider: 'apple', outcome: { stage: 'completed', status: 'partial' } });
    await syncRun(service, id, {
      provider: 'whoop',
      outcome: { stage: 'failed', status: 'failed', error: 'The vendor was away.' },
    });
    await syncRun(service, id, { provider: 'oura', outcome: { stage: 'completed', status: 'skipped' } });
    await syncRun(service, id, { provider: 'garmin', outcome: COMPLETED, source: 'backfill' });
    await syncRun(service, id, { provider: 'google' });
    const { rows } = await service.pool.query("select ended_at from sync_run where provider = 'apple'");
    const responses = [
      (await service.call('GET', `/api/v1/users/${id}`)).body,
      (await service.call('GET', '/api/v1/users')).body.items[0],
      (await developer('PATCH', `/api/v1/users/${id}`, { first_name: 'Jo' })).body,
      (await developer('DELETE', `/api/v1/users/${id}`)).body,
    ];
    for (const user of responses) {
      expect(user.last_synced_provider).toBe('apple');
      expect(user.last_synced_at).toBe(rows[0].ended_at.toISOString());
    }
  });

  test("keeps a user's last sync after the run's cleanup", async () => {
    const { id } = await create();
    await syncRun(service, id, { provider: 'garmin', outcome: COMPLETED });
    const before = (await service.call('GET', `/api/v1/users/${id}`)).body;
    await service.pool.query('delete from sync_run');
    expect((await service.call('GET', `/api/v1/users/${id}`)).body).toEqual(before);
    expect(before.last_synced_provider).toBe('garmin');
  });
});

describe('changing a user', () => {
  test('distinguishes null from omitted fields', async () => {
    const { id } = await create({ first_name: 'Jo', last_name: 'Doe', email: 'jo@clinic.example' });
    const response = await developer('PATCH', `/api/v1/users/${id}`, { first_name: null, email: 'new@clinic.example' });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ first_name: null, last_name: 'Doe', email: 'new@clinic.example' });
  });

  test('rejects a duplicate external ID', async () => {
    await create({ external_user_id: 'taken' });
    const { id } = await create();
    expect((await developer('PATCH', `/api/v1/users/${id}`, { external_user_id: 'taken' })).status).toBe(409);
  });

  test('requires a developer', async () => {
    const { id } = await create();
    expect((await service.call('PATCH', `/api/v1/users/${id}`, {})).status).toBe(401);
    expect((await service.call('DELETE', `/api/v1/users/${id}`)).status).toBe(401);
  });
});

describe('deleting a user', () => {
  test("deletes only this user's data", async () => {
    const [deletedUser, other] = [await create({ first_name: 'Gone' }), await create()];
    const keys = await service.pool.query('select id, user_key from health_user');
    const keyOf = (id: string) => keys.rows.find((row) => row.id === id).user_key;
    for (const { id } of [deletedUser, other]) {
      await syncRun(service, id, { provider: 'apple', outcome: COMPLETED });
      await service.pool.query(
        'insert into sample (user_key, start_at, value, source_id, type_id, slot) values ($1, now(), 1, 1, 1, 0)',
        [keyOf(id)],
      );
    }
    const response = await developer('DELETE', `/api/v1/users/${deletedUser.id}`);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id: deletedUser.id, first_name: 'Gone' });
    const left = await service.pool.query(
      'select (select count(*) from sample) as samples, (select count(*) from sync_run) as runs',
    );
    expect(left.rows[0]).toEqual({ samples: 1, runs: 1 });
    expect((await developer('DELETE', `/api/v1/users/${deletedUser.id}`)).status).toBe(404);
    expect((await service.call('GET', `/api/v1/users/${other.id}`)).status).toBe(200);
  });

  test('changes nothing if one part cannot be deleted', async () => {
    const { id } = await create();
    await service.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
       create trigger refuse before delete on health_user for each row execute function refuse()`,
    );
    const response = await developer('DELETE', `/api/v1/users/${id}`);
    await service.pool.query('drop trigger refuse on health_user');
    expect(response.status).toBe(500);
    expect((await service.call('GET', `/api/v1/users/${id}`)).status).toBe(200);
  });
});
