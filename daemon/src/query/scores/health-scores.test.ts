import type { HealthScoreRecord, ProviderId } from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { type HealthScoresParams, readHealthScores } from './health-scores.js';

let database: TestDatabase;
let user: number;

function score(
  provider: ProviderId,
  category: string,
  day: number,
  value: number,
  components?: HealthScoreRecord['components'],
): HealthScoreRecord {
  const atMs = Date.parse(`2026-03-${day}T06:00:00Z`);
  return { kind: 'health_score', source: { provider }, category, atMs, value, components };
}

beforeAll(async () => {
  database = await createTestDatabase();
  const part = (value: number | null) => ({ value, qualifier: null });
  ({ userKey: user } = await recordedUser(
    database,
    score('oura', 'readiness', 10, 82, { hrv_balance: part(79), recovery_index: part(null) }),
    score('whoop', 'recovery', 11, 67),
    score('whoop', 'strain', 12, 14.2),
    score('polar', 'recovery', 13, 4),
    score('polar', 'strain', 14, 300),
    score('polar', 'sleep', 15, 77),
    score('polar', 'sleep_timing', 16, 2, { sleep_gate_start: { value: null, qualifier: '22:10' } }),
    score('garmin', 'resilience', 17, 1),
  ));
});
afterAll(async () => database.drop());

function scores(more: Omit<Partial<HealthScoresParams>, 'start' | 'end'> & { start?: string; end?: string } = {}) {
  const { start, end, ...rest } = more;
  const moment = (text: string | undefined) => (text === undefined ? undefined : parseMoment(text));
  return readHealthScores(database.pool, user, {
    limit: 50,
    offset: 0,
    ...rest,
    start: moment(start),
    end: moment(end),
  });
}
const days = ({ data }: Awaited<ReturnType<typeof scores>>) => data.map((one) => Number(one.recorded_at.slice(8, 10)));

describe('health scores', () => {
  it('returns scores newest first with known scale bounds', async () => {
    const { data } = await scores();
    expect(data.map(({ provider, category, value, min, max }) => [provider, category, value, min, max])).toEqual([
      ['garmin', 'resilience', 1, null, null],
      ['polar', 'sleep_timing', 2, 1, 3],
      ['polar', 'sleep', 77, 1, 100],
      ['polar', 'strain', 300, 0, null],
      ['polar', 'recovery', 4, 1, 6],
      ['whoop', 'strain', 14.2, 0, 21],
      ['whoop', 'recovery', 67, 0, 100],
      ['oura', 'readiness', 82, 1, 100],
    ]);
    expect(data.at(-1)).toMatchObject({
      recorded_at: '2026-03-10T06:00:00Z',
      qualifier: null,
      components: { hrv_balance: { value: 79, qualifier: null }, recovery_index: { value: null, qualifier: null } },
      data_source_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it.each([
    [{ category: 'recovery' }, [13, 11]],
    [{ provider: 'whoop' }, [12, 11]],
    [{ provider: 'whoop', category: 'strain' }, [12]],
    [{ provider: 'internal' }, []],
    [{ start: '2026-03-15', end: '2026-03-17' }, [16, 15]],
    [{ start: '2026-03-15T06:00:00Z', end: '2026-03-16T06:00:00Z' }, [15]],
    [{ end: '2026-03-11' }, [10]],
  ])('filters health scores by %j', async (filter, expected) => {
    const found = await scores(filter);
    expect(days(found)).toEqual(expected);
    expect(found.pagination).toEqual({
      next_cursor: null,
      previous_cursor: null,
      has_more: false,
      total_count: expected.length,
    });
  });

  it('pages by offset and limit', async () => {
    const page = await scores({ limit: 3, offset: 3 });
    expect(days(page)).toEqual([14, 13, 12]);
    expect(page.pagination).toMatchObject({ has_more: true, total_count: 8 });
    expect((await scores({ limit: 3, offset: 6 })).pagination.has_more).toBe(false);
    expect((await scores({ limit: 3, offset: 60 })).pagination).toMatchObject({ has_more: false, total_count: 8 });
  });

  it('returns no scores for an empty range', async () => {
    expect((await scores({ start: '2026-03-15', end: '2026-03-15' })).data).toEqual([]);
  });

  it('rejects reversed bounds', async () => {
    await expect(scores({ start: '2026-03-16', end: '2026-03-15' })).rejects.toMatchObject({ code: 'unprocessable' });
  });
});
