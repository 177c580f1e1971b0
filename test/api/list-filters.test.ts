import { type HealthRecord, MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedUser } from '../support/recorded-user.js';
import { GARMIN, PHONE, sample, WATCH } from '../support/records.js';
import { type Call, startTestService, type TestService } from '../support/service.js';

const FIRST = Date.parse('2026-03-10T00:00:00Z');
const SOURCES = [WATCH, GARMIN, PHONE];
const iso = (ms: number) => new Date(ms).toISOString();

let service: TestService;
let developer: Call;
let user: string;
let other: string;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
  ({ id: user } = await recordedUser(service, ...[0, 1, 2, 3, 4, 5].flatMap(recordsOf)));
  ({ id: other } = await recordedUser(service, ...recordsOf(1)));
  await addRows();
});
afterAll(() => service.stop());

/** Returns one day's data. Each kind of row occurs with several values of every filter. */
function recordsOf(day: number): HealthRecord[] {
  const source = SOURCES[day % SOURCES.length] ?? WATCH;
  const at = (hour: number) => FIRST + day * MS_PER_DAY + hour * MS_PER_HOUR;
  const span = (from: number, to: number) => ({ source, offsetMinutes: 0, startMs: at(from), endMs: at(to) });
  const score = (category: string, hour: number) =>
    ({
      kind: 'health_score',
      source,
      category,
      externalId: `${category} ${day}`,
      value: 60 + day,
      atMs: at(hour),
    }) as const;
  return [
    score('sleep', 7),
    score(day % 2 === 0 ? 'readiness' : 'activity', 7),
    score('stress', 20),
    { kind: 'sleep_session', isNap: false, ...span(0, 6) },
    {
      kind: 'workout',
      type: (['running', 'trail_running', 'cycling', 'yoga'] as const)[day % 4] ?? 'yoga',
      ...span(17, 18),
    },
    sample('steps', iso(at(8)), 100 + day, { source, minutes: 1 }),
    sample('heart_rate', iso(at(9)), 60 + day, { source }),
  ];
}

/** Inserts runs, their events, connections and audit records that differ in every filtered column. */
async function addRows(): Promise<void> {
  const { pool } = service;
  const values = `(array['apple', 'garmin', 'polar'])[n % 3 + 1] as provider,
    (array['sdk', 'pull', 'backfill', 'webhook'])[n % 4 + 1] as source,
    (array['success', 'failed', 'in_progress', 'partial', 'cancelled'])[n % 5 + 1] as status,
    case when n % 7 < 4 then $1::uuid else $2::uuid end as id, timestamptz '2026-03-10' + n / 2 * interval '1 hour' as at`;
  await pool.query(
    `insert into sync_run (run_id, user_key, provider, source, stage, status, created_at, next_try_at, retry_reason, retry_attempt)
     select 'run-' || lpad(n::text, 3, '0'), u.user_key, r.provider, r.source, 'processing', r.status, r.at,
            case when r.status = 'in_progress' and n % 2 = 0 then r.at end,
            case when r.status = 'in_progress' and n % 2 = 0 then 'unavailable 503' end,
            case when r.status = 'in_progress' and n % 2 = 0 then 2 end
       from (select n, ${values} from generate_series(0, 69) n) r join health_user u on u.id = r.id`,
    [user, other],
  );
  await pool.query(
    `insert into sync_event (event_id, user_key, run_id, event)
     select gen_random_uuid(), r.user_key, r.run_id, jsonb_build_object('event_id', gen_random_uuid(), 'run_id', r.run_id,
              'user_id', u.id, 'provider', r.provider, 'source', r.source, 'stage', r.stage, 'status', r.status, 'message', null,
              'progress', null, 'items_processed', null, 'items_total', null, 'error', null, 'primary_user_id', null,
              'retrying', null, 'started_at', null, 'ended_at', null, 'metadata', '{}'::jsonb, 'timestamp', '2026-03-10T00:00:00Z')
       from sync_run r join health_user u using (user_key) order by r.run_id`,
  );
  await pool.query(
    `insert into connection (user_key, provider, status, status_reason, failing_since)
     select u.user_key, c.provider, c.status, case when c.status <> 'active' then 'user_disconnected' end, c.failing_since
       from (values ($1::uuid, 'polar', 'active', null::timestamptz), ($1, 'oura', 'active', '2026-03-10'), ($1, 'google', 'revoked', null),
                    ($2, 'polar', 'revoked', null), ($2, 'google', 'active', null), ($2, 'oura', 'active', null)) as c (id, provider, status, failing_since)
       join health_user u on u.id = c.id`,
    [user, other],
  );
  await pool.query(
    `insert into audit_event (at, actor_type, actor_id, user_id, resource, action, outcome, status, route)
     select r.at, (array['developer', 'api_key', 'sdk'])[n % 3 + 1], 'actor-' || n % 4, r.id,
            (array['sleep', 'workout', 'user'])[n / 3 % 3 + 1], (array['read', 'delete'])[n / 5 % 2 + 1],
            (array['success', 'denied', 'failure'])[n / 2 % 3 + 1], 200, 'listed'
       from (select n, ${values} from generate_series(0, 69) n) r`,
    [user, other],
  );
}

// biome-ignore lint/suspicious/noExplicitAny: rows of many routes
type Row = any;

interface List {
  path(): string;
  rows(body: Row): Row[];
  /** Returns the number of all rows, if the response contains it. */
  total?(body: Row): number | null;
  /** Value of each filter in a row. A row without the value does not match. */
  filters: Record<string, (row: Row) => unknown>;
  /** Query parameters of the time range, and the row's time. The end is exclusive. */
  range?: { from: string; to: string; at(row: Row): string };
}

const data = (body: Row) => body.data;
const itself = (body: Row) => body;
const total = (body: Row) => body.pagination.total_count;
const run = {
  provider: (row: Row) => row.provider,
  source: (row: Row) => row.source,
  status: (row: Row) => row.status,
};
const RANGE = 'start_date=2026-03-01&end_date=2026-04-01';
const dates = (at: (row: Row) => string) => ({ from: 'start_date', to: 'end_date', at });

const LISTS: Record<string, List> = {
  'health scores': {
    path: () => `/api/v1/users/${user}/health-scores?limit=1000`,
    rows: data,
    total,
    filters: { category: (row) => row.category, provider: (row) => row.provider },
    range: dates((row) => row.recorded_at),
  },
  workouts: {
    path: () => `/api/v1/users/${user}/events/workouts?${RANGE}&limit=100`,
    rows: data,
    total,
    filters: { provider: (row) => row.source.provider, device_model: (row) => row.source.device },
    range: dates((row) => row.start_time),
  },
  'sleep sessions': {
    path: () => `/api/v1/users/${user}/events/sleep?${RANGE}&limit=100`,
    rows: data,
    total,
    filters: {},
    range: dates((row) => row.start_time),
  },
  'a time series': {
    path: () =>
      `/api/v1/users/${user}/timeseries?start_time=2026-03-01&end_time=2026-04-01&types=steps&types=heart_rate&limit=1000`,
    rows: data,
    total,
    filters: { provider: (row) => row.source.provider, device_model: (row) => row.source.device },
    range: { from: 'start_time', to: 'end_time', at: (row) => row.timestamp },
  },
  runs: {
    path: () => '/api/v1/sync/runs?limit=1000',
    rows: itself,
    filters: { ...run, user_id: (row) => row.user_id, retrying: (row) => (row.retrying === null ? undefined : true) },
  },
  "a user's runs": {
    path: () => `/api/v1/users/${user}/sync/runs?limit=200`,
    rows: itself,
    filters: { retrying: (row) => (row.retrying === null ? undefined : true) },
  },
  'run events': {
    path: () => `/api/v1/users/${user}/sync/recent?limit=200`,
    rows: itself,
    filters: run,
  },
  connections: {
    path: () => '/api/v1/connections?limit=100',
    rows: data,
    filters: {
      user_id: (row) => row.user_id,
      provider: (row) => row.provider,
      state: (row) =>
        row.status !== 'active' ? 'ended' : row.failing_since === null ? 'active' : ['active', 'failing'],
    },
  },
  'audit records': {
    path: () => '/api/v1/audit?from=2026-03-01&to=2026-04-01&limit=200',
    rows: data,
    filters: Object.fromEntries(
      ['user_id', 'actor_type', 'actor_id', 'resource', 'action', 'outcome'].map((name) => [
        name,
        (row: Row) => row[name],
      ]),
    ),
    range: { from: 'from', to: 'to', at: (row) => row.at },
  },
};

/** Reads a list. A parameter replaces the same parameter of the list's path. */
async function read({ path, rows, total: totalOf }: List, parameters: Record<string, unknown> = {}): Promise<Row[]> {
  const url = new URL(path(), 'http://localhost');
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  const { status, body } = await developer('GET', `${url.pathname}${url.search}`);
  expect([status, url.search]).toEqual([200, url.search]);
  const found = rows(body);
  const count = totalOf?.(body);
  if (count !== undefined && count !== null) expect([url.search, count]).toEqual([url.search, found.length]);
  return found;
}

describe.each(Object.entries(LISTS))('a filter of %s', (_, list) => {
  const { filters, range } = list;
  const names = Object.keys(filters);

  if (names.length > 0) {
    it.each(names)('returns exactly the matching rows: %s', async (name) => {
      const all = await read(list);
      const valuesOf = (row: Row, of = name) => [filters[of]?.(row) ?? []].flat();
      const values = [...new Set(all.flatMap((row) => valuesOf(row)))];
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) {
        const expected = all.filter((row) => valuesOf(row).includes(value));
        expect(expected.length).toBeLessThan(all.length);
        expect(await read(list, { [name]: value })).toEqual(expected);
        // The filter also applies together with each other filter.
        for (const second of names) {
          const [also] = valuesOf(expected[0], second);
          if (second === name || also === undefined) continue;
          const both = expected.filter((row) => valuesOf(row, second).includes(also));
          expect(await read(list, { [name]: value, [second]: also })).toEqual(both);
        }
      }
    });
  }

  if (!range) return;
  it('treats its range as half-open', async () => {
    const all = await read(list);
    const times = [...new Set(all.map((row) => Date.parse(range.at(row))))].toSorted((a, b) => a - b);
    const some = [times[1], times[Math.floor(times.length / 2)], times.at(-2)] as number[];
    for (const fromMs of some.flatMap((ms) => [ms, ms + 1])) {
      for (const toMs of some.flatMap((ms) => [ms, ms + 1])) {
        if (toMs <= fromMs) continue;
        const expected = all.filter((row) => Date.parse(range.at(row)) >= fromMs && Date.parse(range.at(row)) < toMs);
        expect(await read(list, { [range.from]: iso(fromMs), [range.to]: iso(toMs) })).toEqual(expected);
      }
    }
  });
});

it('filters workouts by a part of the type name in any case', async () => {
  const list = LISTS.workouts as List;
  const all = await read(list);
  for (const text of ['RUN', 'trail', 'yoga', 'cycl']) {
    const expected = all.filter(({ type }) => type.includes(text.toLowerCase()));
    expect(expected.length).toBeGreaterThan(0);
    expect(await read(list, { record_type: text })).toEqual(expected);
  }
  expect(await read(list, { record_type: 'run_' })).toEqual([]);
});

it('limits runs by time', async () => {
  const list = LISTS.runs as List;
  const all = await read(list);
  const { rows } = await service.pool.query<{ run_id: string; created_at: Date }>(
    'select run_id, created_at from sync_run',
  );
  const createdAt = new Map(rows.map(({ run_id: id, created_at: at }) => [id, at.getTime()]));
  const from = Date.parse('2026-03-10T08:00:00Z');
  const to = Date.parse('2026-03-10T20:00:00Z');
  const expected = all.filter(({ run_id: id }) => (createdAt.get(id) ?? 0) >= from && (createdAt.get(id) ?? 0) < to);
  expect(expected).toHaveLength(24);
  expect(await read(list, { from: iso(from), to: iso(to) })).toEqual(expected);
});

it('continues after the run in `before`', async () => {
  const list = LISTS.runs as List;
  const all = await read(list);
  for (const at of [0, 1, 2, 30]) {
    expect(await read(list, { before: all[at].run_id, limit: 3 })).toEqual(all.slice(at + 1, at + 4));
  }
});

it('pages health scores by limit and offset, with the total count', async () => {
  const list = LISTS['health scores'] as List;
  const all = await read(list);
  for (const [limit, offset] of [
    [1, 0],
    [4, 3],
    [5, all.length - 2],
    [3, all.length],
  ] as const) {
    const { body } = await developer('GET', `/api/v1/users/${user}/health-scores?limit=${limit}&offset=${offset}`);
    expect(body.data).toEqual(all.slice(offset, offset + limit));
    expect(body.pagination).toMatchObject({ total_count: all.length, has_more: offset + limit < all.length });
  }
});

describe('changes of a user', () => {
  const KINDS = ['samples', 'sleep', 'workout', 'health_score', 'summary', 'user'];
  const changes = async (query: string) => {
    const { status, body } = await developer('GET', `/api/v1/users/${user}/changes?limit=1000&${query}`);
    expect(status).toBe(200);
    return body.items as Row[];
  };

  it('are limited to the requested kinds', async () => {
    await expect.poll(async () => new Set((await changes('')).map(({ kind }) => kind)).size).toBeGreaterThan(3);
    const all = await changes('');
    for (const kinds of [...KINDS.map((kind) => [kind]), ['sleep', 'workout'], KINDS]) {
      expect(await changes(`kinds=${kinds.join(',')}`)).toEqual(all.filter(({ kind }) => kinds.includes(kind)));
    }
  });

  it('exclude other users', async () => {
    const { body } = await developer('GET', `/api/v1/changes?limit=1000&user_id=${other}`);
    expect(body.items.length).toBeGreaterThan(0);
    expect(new Set(body.items.map((row: Row) => row.user_id))).toEqual(new Set([other]));
  });
});
