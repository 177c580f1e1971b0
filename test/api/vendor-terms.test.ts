import { TermRows } from '@healthd/daemon/connections';
import type { HealthRecord } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordedUser } from '../support/recorded-user.js';
import { run, sample, sleepStage } from '../support/records.js';
import { type Call, startTestService, type TestService } from '../support/service.js';
import { zipEntries } from '../support/zip-entries.js';

const STRAVA = { provider: 'strava', account: 'a1', deviceModel: 'Edge 530' } as const;
const LIST = '/api/v1/providers/terms';
const SETTINGS = '/api/v1/providers/strava/settings';

let service: TestService;
let developer: Call;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.pool.query('delete from provider_setting');
  service.parts.connections.terms.forget();
});

const change = (terms: object) => developer('PATCH', SETTINGS, { terms });
async function term(name: string, provider = 'strava') {
  const { body } = await service.call('GET', LIST);
  const found = body.items.find((one: { provider: string }) => one.provider === provider);
  return found.terms.find((one: { term: string }) => one.term === name);
}

test('shows each term of each provider with its source and state', async () => {
  const { status, body } = await service.call('GET', LIST);
  expect(status).toBe(200);
  expect(body.items).toHaveLength(11);
  const strava = body.items.find(({ provider }: { provider: string }) => provider === 'strava');
  expect(strava.terms.map((one: { term: string; state: string }) => [one.term, one.state])).toEqual([
    ['assistants', 'acts'],
    ['combine', 'asks'],
    ['cache_days', 'asks'],
    ['on_disconnect', 'asks'],
    ['archive', 'unknown'],
    ['attribution', 'acts'],
    ['research', 'unknown'],
  ]);
  expect(await term('cache_days')).toMatchObject({
    value: 7,
    declared: { value: 7, basis: 'quoted', source: expect.stringContaining('5.5') },
    override: null,
    answer: null,
    rows: 0,
  });
});

test('applies an override with its author and reason', async () => {
  const { status, body } = await change({ assistants: { value: 'allow', reason: 'Contract of 2026-10-01' } });
  expect(status).toBe(200);
  expect(body.terms[0]).toMatchObject({
    term: 'assistants',
    value: 'allow',
    state: 'allows',
    declared: { value: 'deny' },
    override: { value: 'allow', reason: 'Contract of 2026-10-01', changed_by: expect.stringContaining('@') },
  });
  await service.audit.flush();
  const { body: audit } = await developer('GET', '/api/v1/audit?resource=provider_setting&limit=1');
  expect(audit.data[0]).toMatchObject({
    action: 'update',
    resource_id: 'strava',
    detail: 'strava: assistants = allow: Contract of 2026-10-01',
  });
  await change({ assistants: null });
  expect(await term('assistants')).toMatchObject({ value: 'deny', state: 'acts', override: null });
});

test('shows a deletion term as active only after its acceptance', async () => {
  expect(await term('on_disconnect')).toMatchObject({ state: 'asks' });
  await change({ on_disconnect: { answer: 'declined' } });
  expect(await term('on_disconnect')).toMatchObject({ state: 'declined', answer: { answer: 'declined' } });
  await change({ on_disconnect: { answer: 'accepted' } });
  expect(await term('on_disconnect')).toMatchObject({ state: 'acts' });
});

test('requests a new answer if the value of an accepted term changes', async () => {
  await change({ cache_days: { answer: 'accepted' } });
  await change({ cache_days: { value: 1, reason: 'Stricter contract' } });
  expect(await term('cache_days')).toMatchObject({ value: 1, state: 'asks', answer: null });
  await change({ cache_days: null });
  expect(await term('cache_days')).toMatchObject({ value: 7, state: 'acts' });
});

test('lets an override with null remove a term', async () => {
  await change({ cache_days: { value: null, reason: 'Written permission' } });
  expect(await term('cache_days')).toMatchObject({ value: null, state: 'allows' });
});

test("counts the vendor's rows that each term affects", async () => {
  // Requests a new count, because the service caches slow counts for minutes.
  const rowsOf = async (name: 'cacheDays' | 'combine' | 'onDisconnect') => {
    const states = (await service.parts.connections.terms.states()).get('strava') ?? [];
    return new TermRows(service.pool).of('strava', states.find((one) => one.name === name)!);
  };
  const imported = { provider: 'strava', deviceModel: 'Edge 530' } as const;
  const { userKey } = await recordedUser(
    service,
    run({ source: STRAVA, externalId: 'r1' }),
    sample('heart_rate', '2026-03-10T17:10:00Z', 140, { source: STRAVA }),
    sample('heart_rate', new Date().toISOString(), 141, { source: STRAVA }),
    sample('heart_rate', '2026-03-10T17:11:00Z', 142, { source: imported }),
    sample('steps', '2026-03-10T17:10:00Z', 100),
  );
  expect(await rowsOf('cacheDays')).toBe(2);
  expect(await rowsOf('combine')).toBe(4);
  expect(await rowsOf('onDisconnect')).toBe(0);
  await service.pool.query(
    `insert into connection (user_key, provider, status, status_reason) values ($1, 'strava', 'revoked', 'deregistered')`,
    [userKey],
  );
  expect(await rowsOf('onDisconnect')).toBe(3);
});

test.each([
  [{ assistants: { value: 'allow' } }, 422],
  [{ assistants: { value: 'perhaps', reason: 'x' } }, 422],
  [{ assistants: { answer: 'accepted' } }, 422],
  [{ cache_days: { value: 0, reason: 'x' } }, 422],
  [{ cache_day: null }, 422],
])('rejects %j and changes nothing', async (terms, status) => {
  const before = (await service.call('GET', LIST)).body;
  expect((await change(terms)).status).toBe(status);
  expect((await service.call('GET', LIST)).body).toEqual(before);
});

test('rejects an answer to a term that requires no answer', async () => {
  await change({ on_disconnect: { value: 'keep', reason: 'Contract' } });
  expect((await change({ on_disconnect: { answer: 'accepted' } })).status).toBe(400);
});

test('rejects a change of terms with an API key', async () => {
  expect((await service.call('PATCH', SETTINGS, { terms: {} })).status).toBe(401);
});

describe('the export of a user', () => {
  async function exported(id: string): Promise<Map<string, string>> {
    const { tokens } = await service.logIn();
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const response = await fetch(`${service.url}/api/v1/users/${id}/export`, { headers });
    return zipEntries(Buffer.from(await response.arrayBuffer()));
  }

  test('contains the attribution of each vendor with data in the export', async () => {
    const { id } = await recordedUser(service, run({ source: STRAVA, externalId: 'r2' }));
    const entries = await exported(id);
    expect(entries.get('attribution.ndjson')).toBe('{"provider":"strava","text":"Powered by Strava"}\n');
    expect(entries.get('README.txt')).toContain('  Powered by Strava (strava)\n');
    expect(entries.get('README.txt')).toContain('  attribution.ndjson ');
  });

  test('contains the operator’s attribution after an override', async () => {
    const { id } = await recordedUser(service, run({ source: STRAVA, externalId: 'r3' }));
    await change({ attribution: { value: 'Data by Strava', reason: 'Letter of 2026-10-01' } });
    expect((await exported(id)).get('attribution.ndjson')).toContain('"Data by Strava"');
  });

  test('has no attribution if no vendor requires attribution', async () => {
    const { id } = await recordedUser(service, sample('steps', '2026-03-10T17:10:00Z', 100));
    const entries = await exported(id);
    expect(entries.has('attribution.ndjson')).toBe(false);
    expect(entries.get('README.txt')).not.toContain('attribution');
  });
});

test.each([
  ['activity', 'steps'],
  ['body', 'weight'],
] as const)('shows the attribution of its sources in an explanation of %s', async (summary, type) => {
  const other = { provider: 'polar', deviceModel: 'Vantage' } as const;
  const { id } = await recordedUser(
    service,
    sample(type, '2026-03-10T17:10:00Z', 80, { source: STRAVA }),
    sample(type, '2026-03-10T17:10:00Z', 81, { source: other }),
  );
  const { body } = await service.call('GET', `/api/v1/users/${id}/summaries/${summary}/explain?date=2026-03-10`);
  expect(body.groups.flatMap(({ candidates }: { candidates: [] }) => candidates)).not.toEqual([]);
  expect(body.attribution).toEqual([{ provider: 'strava', text: 'Powered by Strava' }]);
});

describe('a source withheld by accepted terms', () => {
  const POLAR = { provider: 'polar', account: 'p1', deviceModel: 'Vantage V3', deviceType: 'watch' } as const;
  const date = '2026-03-10';
  const at = (clock: string) => `${date}T${clock}:00Z`;
  const recordsOf = (source: typeof POLAR | typeof STRAVA): HealthRecord[] => [
    sample('steps', at('17:10'), 80, { source }),
    sample('energy', at('17:10'), 80, { source }),
    sample('heart_rate', at('03:10'), 80, { source }),
    sample('heart_rate_variability_rmssd', at('03:10'), 80, { source }),
    sample('oxygen_saturation', at('03:10'), 97, { source }),
    sample('resting_heart_rate', at('06:00'), 48, { source }),
    sample('weight', at('06:00'), 71, { source }),
    sleepStage('light', at('00:00'), at('06:00'), { source }),
  ];

  test.each([
    ['activity', ['movement', 'energy', 'heart_rate']],
    ['sleep', ['sleep', 'heart_rate', 'hrv', 'oxygen_saturation']],
    ['recovery', ['sleep', 'hrv', 'oxygen_saturation', 'resting_heart_rate']],
    ['body', ['weight']],
  ])('has the reason `terms` and no value in the explained %s', async (summary, names) => {
    const { id } = await recordedUser(service, ...recordsOf(POLAR), ...recordsOf(STRAVA));
    await change({ combine: { answer: 'accepted' } });
    const { body } = await service.call('GET', `/api/v1/users/${id}/summaries/${summary}/explain?date=${date}`);
    expect(body.withheld).toEqual(['strava']);
    for (const name of names) {
      const { candidates } = body.groups.find(({ group }: { group: string }) => group === name);
      expect(candidates, name).toMatchObject([
        { rank: 1, source: { provider: 'polar' }, value: expect.any(Number), lost_by: null },
        { rank: 2, source: { provider: 'strava', device: null }, value: null, lost_by: 'terms' },
      ]);
    }
  });

  const NO_AMOUNTS = { sample_count: null, sample_sum: null, daily_total: null, covered_minutes: null, amount: null };

  test.each([
    [1, 100, 'terms'],
    [100, 1, null],
  ])('has no amounts in metrics with priorities polar %i and strava %i', async (polar, strava, lost_by) => {
    const { id } = await recordedUser(service, ...recordsOf(POLAR), ...recordsOf(STRAVA));
    await change({ combine: { answer: 'accepted' } });
    const { providers } = service.parts.priorities;
    const before = (await providers.list()).map(({ provider: name, priority }) => ({ name, priority }));
    await providers.set([
      { name: 'polar', priority: polar },
      { name: 'strava', priority: strava },
    ]);
    const { body } = await service.call('GET', `/api/v1/users/${id}/summaries/activity/explain?date=${date}`);
    await providers.set(before);
    expect(body.metrics.map(({ type }: { type: string }) => type)).toEqual(['steps', 'energy']);
    for (const { value, candidates, ranges } of body.metrics) {
      const hidden = { source: { provider: 'strava', device: null }, lost_by, ...NO_AMOUNTS };
      const shown = { source: { provider: 'polar' }, sample_count: 1 };
      expect(candidates).toMatchObject(lost_by ? [shown, hidden] : [hidden, shown]);
      expect([value, ranges.length]).toEqual(lost_by ? [expect.any(Number), 1] : [null, 0]);
    }
  });
});

test('hides a BMI in an explanation if its height is withheld', async () => {
  const date = '2026-03-10';
  const { id } = await recordedUser(
    service,
    sample('height', `${date}T06:00:00Z`, 180, { source: STRAVA }),
    sample('weight', `${date}T06:00:00Z`, 81, { source: { provider: 'polar', deviceModel: 'Vantage' } }),
  );
  const path = `/api/v1/users/${id}/summaries/body/explain?date=${date}`;
  const bmi = async () =>
    (await service.call('GET', path)).body.groups.find(({ group }: { group: string }) => group === 'bmi').candidates;
  expect(await bmi()).toMatchObject([{ value: 25 }]);
  await change({ combine: { answer: 'accepted' } });
  expect(await bmi()).toMatchObject([{ value: null, figures: { 'slow_changing.bmi': null } }]);
});
