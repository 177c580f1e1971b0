import type { MenstrualCycleRecord } from '@healthd/model';
import { parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser } from '../../../../test/support/recorded-user.js';
import { GARMIN } from '../../../../test/support/records.js';
import { readMenstrualCycles } from './menstrual-cycles.js';

let database: TestDatabase;
let user: number;

function cycle(start: string, end: string, details: Record<string, unknown> = {}): MenstrualCycleRecord {
  const span = { startMs: Date.parse(start), endMs: Date.parse(end) };
  return { kind: 'menstrual_cycle', source: GARMIN, offsetMinutes: 60, details, ...span };
}

beforeAll(async () => {
  database = await createTestDatabase();
  const details = {
    current_phase: 2,
    current_phase_type: 'FOLLICULAR',
    day_in_cycle: 9,
    cycle_length: 28,
    is_predicted_cycle: false,
    last_updated_at: '2026-02-05T08:00:00+01:00',
    pregnancy_snapshot: [{ due_date: '2026-11-01' }, 'odd'],
    period_length: 'five',
  };
  ({ userKey: user } = await recordedUser(
    database,
    cycle('2026-01-01', '2026-01-29'),
    cycle('2026-01-29', '2026-02-26', details),
    cycle('2026-02-26', '2026-03-26'),
  ));
});
afterAll(async () => database.drop());

function cycles(start: string, end: string, more: { limit?: number; cursor?: string } = {}) {
  const [from, to] = [parseMoment(start), parseMoment(end)];
  if (!from || !to) throw new Error('unreadable test bound');
  return readMenstrualCycles(database.pool, user, { start: from, end: to, limit: 50, ...more });
}

describe('menstrual cycles', () => {
  it.each([
    ['2026-02-01', '2026-02-02', ['2026-01-29']],
    ['2026-01-29', '2026-02-27', ['2026-02-26', '2026-01-29']],
    ['2026-01-28T23:59:59Z', '2026-01-29', ['2026-01-01']],
    ['2026-03-26', '2026-05-01', []],
    ['2026-02-01', '2026-02-01', []],
  ])('lists menstrual cycles that overlap %s to %s', async (start, end, starts) => {
    const { data, pagination } = await cycles(start, end);
    expect(data.map(({ start_time }) => start_time.slice(0, 10))).toEqual(starts);
    expect(pagination.total_count).toBe(starts.length);
  });

  it('shows vendor values and null for missing or malformed values', async () => {
    expect((await cycles('2026-02-01', '2026-02-02')).data[0]).toMatchObject({
      start_time: '2026-01-29T00:00:00Z',
      end_time: '2026-02-26T00:00:00Z',
      zone_offset: '+01:00',
      source: { provider: 'garmin' },
      current_phase: 2,
      current_phase_type: 'FOLLICULAR',
      day_in_cycle: 9,
      cycle_length: 28,
      is_predicted_cycle: false,
      last_updated_at: '2026-02-05T07:00:00Z',
      pregnancy_snapshot: [{ due_date: '2026-11-01' }],
      period_length: null,
      has_specified_cycle_length: null,
    });
  });

  it('pages in both directions', async () => {
    const page = (cursor?: string) => cycles('2026-01-01', '2026-12-31', { limit: 2, cursor });
    const first = await page();
    const second = await page(first.pagination.next_cursor ?? '');
    expect(second.data.map(({ start_time }) => start_time)).toEqual(['2026-01-01T00:00:00Z']);
    expect((await page(second.pagination.previous_cursor ?? '')).data).toEqual(first.data);
  });
});
