import type { HealthRecord } from '@healthd/model';
import type { Envelope, TimeSeriesSample } from '@healthd/schemas';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN, PHONE, sample, samplesEvery, WATCH } from '../../../../test/support/records.js';
import type { TimeseriesParams } from './prepared-read.js';
import { readTimeseries, streamTimeseries } from './timeseries.js';

let database: TestDatabase;
let user: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const values = (count: number) => Array.from({ length: count }, (_, n) => 40 + (n % 997) / 8);
  const records: HealthRecord[] = [
    ...samplesEvery('heart_rate', '2026-03-01T00:00:00Z', 1, values(2600), { source: WATCH, offsetMinutes: 60 }),
    ...samplesEvery('heart_rate', '2026-03-01T00:00:00.25Z', 3, values(900), { source: PHONE }),
    // Both sources start at the same instants, so that a chunk may end between samples with equal times.
    ...samplesEvery('steps', '2026-03-01T00:00:00Z', 1, values(1500), { source: WATCH, minutes: 1 }),
    ...samplesEvery('steps', '2026-03-01T00:00:00Z', 1, values(1500), {
      source: PHONE,
      minutes: 1,
      offsetMinutes: -150,
    }),
    sample('steps', '2026-03-01T00:00:00Z', 123.4567891, { kind: 'daily_total', source: GARMIN }),
    sample('steps', '2026-03-01T12:00:00Z', 1e-7, { source: GARMIN }),
    sample('steps', '2026-03-01T12:01:00Z', 49_999.5, { source: GARMIN }),
  ];
  ({ id: user } = await recordedUser(database, ...records));
});
afterAll(async () => database.drop());

function params(more: Partial<TimeseriesParams> = {}): TimeseriesParams {
  const moment = (date: string) => ({ ms: Date.parse(date), dateOnly: false });
  return {
    types: ['heart_rate', 'steps'],
    start: moment('2026-03-01'),
    end: moment('2026-04-01'),
    endName: 'end_time',
    resolution: 'raw',
    limit: 10_000,
    ...more,
  };
}

async function streamedText(request: TimeseriesParams, pool: pg.Pool = database.pool) {
  const response = await streamTimeseries({ ...database, pool }, user, request);
  if (!(Symbol.asyncIterator in response)) throw new Error('answered whole');
  const pieces: string[] = [];
  for await (const piece of response) pieces.push(piece);
  return { pieces, text: pieces.join('') };
}

describe('a streamed page', () => {
  it.each([1001, 2000, 3999, 5999, 6000, 6502, 6503, 6504, 10_000])(
    'of %i samples equals the complete response byte for byte',
    async (limit) => {
      const request = params({ limit });
      const whole = await readTimeseries(database, user, request);
      expect(whole.data).toHaveLength(Math.min(limit, 6503));
      expect((await streamedText(request)).text).toBe(JSON.stringify(whole));
    },
  );

  it('with IDs equals the complete response byte for byte', async () => {
    const request = params({ limit: 3000, includesIds: true });
    const whole = await readTimeseries(database, user, request);
    expect(new Set(whole.data.map(({ id }) => id)).size).toBe(3000);
    expect((await streamedText(request)).text).toBe(JSON.stringify(whole));
  });

  it('continues at a cursor like the unstreamed list', async () => {
    const first = JSON.parse((await streamedText(params({ limit: 3000 }))).text) as Envelope<TimeSeriesSample>;
    const next = params({ limit: 4000, cursor: first.pagination.next_cursor ?? '' });
    const second = JSON.parse((await streamedText(next)).text) as Envelope<TimeSeriesSample>;
    expect(second).toEqual(await readTimeseries(database, user, next));
    expect(second.pagination).toMatchObject({ has_more: false, next_cursor: null, total_count: 6503 });
    const all = await readTimeseries(database, user, params());
    expect([...first.data, ...second.data]).toEqual(all.data);
  });

  it.each([
    ['no sample', { types: ['weight'] as const }],
    ['an empty range', { end: params().start }],
    ['one source', { provider: 'garmin' as const }],
  ])('of %s equals the complete response byte for byte', async (_, more) => {
    const request = params(more);
    expect((await streamedText(request)).text).toBe(JSON.stringify(await readTimeseries(database, user, request)));
  });

  it('reads only one chunk ahead of the chunk that it sends', async () => {
    let statements = 0;
    const watched = new Proxy(database.pool, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name);
        return (query: pg.QueryConfig) => {
          if (query.name?.startsWith('timeseries_raw')) statements++;
          return target.query(query);
        };
      },
    });
    const response = await streamTimeseries({ ...database, pool: watched }, user, params());
    if (!(Symbol.asyncIterator in response)) throw new Error('answered whole');
    const pieces = response[Symbol.asyncIterator]();
    const { value } = await pieces.next();
    expect(JSON.parse(`${value}]}`)).toMatchObject({ data: { length: 1000 } });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(statements).toBe(2);
    await pieces.return?.();
  });

  it('fails instead of ending early on a read error', async () => {
    let statements = 0;
    const failing = new Proxy(database.pool, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name);
        return async (query: pg.QueryConfig) => {
          if (query.name?.startsWith('timeseries_raw') && ++statements === 3) throw new Error('connection lost');
          return target.query(query);
        };
      },
    });
    await expect(streamedText(params(), failing)).rejects.toThrow('connection lost');
  });

  it.each([
    ['of a thousand samples', { limit: 1000 }],
    ['of buckets', { resolution: '1min' as const }],
  ])('is replaced by a complete response %s', async (_, more) => {
    expect(await streamTimeseries(database, user, params(more))).toHaveProperty('data');
  });

  it('is replaced by a complete response when paging backward', async () => {
    const first = await readTimeseries(database, user, params({ limit: 3000 }));
    const second = await readTimeseries(
      database,
      user,
      params({ limit: 3000, cursor: first.pagination.next_cursor ?? '' }),
    );
    const back = params({ limit: 3000, cursor: second.pagination.previous_cursor ?? '' });
    expect(await streamTimeseries(database, user, back)).toMatchObject({ data: first.data });
  });
});
