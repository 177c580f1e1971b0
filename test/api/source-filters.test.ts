import { randomUUID } from 'node:crypto';
import type { HealthRecord, SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedUser } from '../support/recorded-user.js';
import { GARMIN, PHONE, sample, samplesEvery, WATCH } from '../support/records.js';
import { startTestService, type TestService } from '../support/service.js';

/** The watch, described as in a phone's push and in an export file. */
const OWN: SourceIdentity = {
  provider: 'apple',
  deviceModel: 'Watch7,5',
  deviceType: 'watch',
  originalSourceName: 'Ada\u2019s Apple Watch',
};
const CLOUD: SourceIdentity = { provider: 'oura', account: 'vendor-1', originalSourceName: 'Oura' };
const SOURCES = [WATCH, PHONE, GARMIN, OWN, CLOUD] as const;

let service: TestService;
let user: string;
let idOf: (model: string | null) => string;
beforeAll(async () => {
  service = await startTestService();
  const records: HealthRecord[] = SOURCES.flatMap((source, index) => {
    const startMs = Date.parse(`2026-11-0${index + 1}T07:00:00Z`);
    const endMs = startMs + 3_600_000;
    return [
      sample('steps', `2026-11-0${index + 1}T08:00:00Z`, index + 1, { source }),
      { kind: 'workout', source, type: 'running', startMs, endMs } as const,
    ];
  });
  // The watch and the Garmin record the same additional run. The phone records a separate run.
  for (const source of [WATCH, GARMIN]) {
    const startMs = Date.parse('2026-11-20T07:00:00Z');
    records.push({ kind: 'workout', source, type: 'running', startMs, endMs: startMs + 3_600_000 });
  }
  ({ id: user } = await recordedUser(service, ...records));
  const { items } = (await service.call('GET', `/api/v1/users/${user}/data-sources`)).body;
  idOf = (model) => items.find((one: { device_model: string | null }) => one.device_model === model).id;
});
afterAll(() => service.stop());

const LISTS = {
  timeseries: 'timeseries?types=steps&start_time=2026-11-01&end_time=2026-12-01',
  'a timeseries of one type': 'timeseries/steps?start_date=2026-11-01&end_date=2026-12-01',
  'an hourly timeseries': 'timeseries?types=steps&start_time=2026-11-01&end_time=2026-12-01&resolution=1hour',
  'a streamed timeseries': 'timeseries?types=steps&start_time=2026-11-01&end_time=2026-12-01&limit=10000',
  workouts: 'events/workouts?start_date=2026-11-01&end_date=2026-12-01',
} as const;

async function read(list: keyof typeof LISTS, filter: Record<string, string>) {
  const query = new URLSearchParams(filter).toString();
  return service.call('GET', `/api/v1/users/${user}/${LISTS[list]}&${query}`);
}
const modelsOf = ({ body }: { body: { data: { source: { device: string | null } }[] } }) => [
  ...new Set(body.data.map(({ source }) => source.device)),
];

describe.each(Object.keys(LISTS) as (keyof typeof LISTS)[])('filtering %s by source', (list) => {
  it.each<[string, () => Record<string, string>, (string | null)[]]>([
    ['provider', () => ({ provider: 'garmin' }), ['Garmin fenix 7']],
    ['source, a writer', () => ({ source: 'com.example.health' }), ['Watch6,2', 'iPhone15,2']],
    ['source, a device name', () => ({ source: 'Ada\u2019s Apple Watch' }), ['Watch7,5']],
    ['source, a UUID', () => ({ source: idOf('iPhone15,2').toUpperCase() }), ['iPhone15,2']],
    ['device_model', () => ({ device_model: 'Watch6,2' }), ['Watch6,2']],
    ['data_source_id', () => ({ data_source_id: idOf(null) }), [null]],
    [
      'all filters together',
      () => ({ provider: 'apple', source: 'com.example.health', device_model: 'Watch6,2' }),
      ['Watch6,2'],
    ],
    ['two contradictory filters', () => ({ provider: 'garmin', device_model: 'Watch6,2' }), []],
    ['a cloud\u2019s own name', () => ({ source: 'Oura' }), []],
  ])('returns only matching rows: %s', async (_name, filter, models) => {
    const response = await read(list, filter());
    expect(modelsOf(response).toSorted()).toEqual(models.toSorted());
    expect(response.body.pagination.total_count ?? response.body.data.length).toBe(response.body.data.length);
  });

  it.each([
    'nobody',
    '',
    'WATCH6,2',
    '%',
    '_',
    "' or true --",
    '\u0000',
    '\ud83d\ude00'.repeat(500),
    '{}',
    '__proto__',
    randomUUID(),
  ])('returns an empty list for an unknown source: %j', async (text) => {
    for (const name of ['provider', 'source', 'device_model']) {
      const { status, body } = await read(list, { [name]: text });
      expect([name, status, body.data, body.pagination]).toEqual([
        name,
        200,
        [],
        {
          next_cursor: null,
          previous_cursor: null,
          has_more: false,
          total_count: list === 'an hourly timeseries' ? null : 0,
        },
      ]);
    }
    expect((await read(list, { data_source_id: randomUUID() })).body.data).toEqual([]);
  });

  it.each(['nobody', '', '\u0000', '1'])('rejects a data_source_id that is not a UUID: %j', async (text) => {
    const { status, body } = await read(list, { data_source_id: text });
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'data_source_id']]);
  });

  it('rejects a cursor of another filter', async () => {
    const { body } = await read(list, { provider: 'apple', limit: '1' });
    expect(body.pagination.next_cursor).not.toBeNull();
    const next = { cursor: body.pagination.next_cursor, limit: '1' };
    expect((await read(list, { ...next, provider: 'apple' })).body.data).toHaveLength(1);
    for (const other of <Record<string, string>[]>[
      {},
      { provider: 'garmin' },
      { provider: 'apple', device_model: 'Watch6,2' },
    ]) {
      expect((await read(list, { ...next, ...other })).status).toBe(422);
    }
  });
});

it('shows a workout if the filter excludes its better duplicate', async () => {
  const range = `/api/v1/users/${user}/events/workouts?start_date=2026-11-20&end_date=2026-11-21&filter_by_priority=true`;
  const shown = async (query: string) => modelsOf(await service.call('GET', `${range}${query}`));
  expect(await shown('')).toHaveLength(1);
  expect(await shown('&device_model=Watch6,2')).toEqual(['Watch6,2']);
  expect(await shown('&provider=garmin')).toEqual(['Garmin fenix 7']);
});

it('needs few statements for a long range without a matching source', async () => {
  const { id } = await recordedUser(
    service,
    ...samplesEvery('steps', '2016-11-01T00:00:00Z', 1440, Array(2_000).fill(1)),
  );
  const statements = await countStatements(async () => {
    const path = `/api/v1/users/${id}/timeseries?types=steps&start_time=2016-11-01&end_time=2026-11-01&resolution=1min&source=x`;
    expect((await service.call('GET', path)).body.data).toEqual([]);
  });
  expect(statements).toBeLessThan(20);
});

/** Counts the service's statements during the call. */
async function countStatements(work: () => Promise<void>): Promise<number> {
  let count = 0;
  const { query } = service.pool;
  service.pool.query = ((...input: Parameters<typeof query>) => {
    count += 1;
    return query.apply(service.pool, input);
  }) as typeof query;
  await work().finally(() => {
    service.pool.query = query;
  });
  return count;
}
