import { batchOf, type HealthRecord, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { sample } from '../../../../test/support/records.js';
import { statementsOf } from '../../../../test/support/statements.js';

const APP: SourceIdentity = { provider: 'apple', writer: 'Strong' };
const VENDOR: SourceIdentity = { provider: 'google', writer: 'cloud' };
const START = Date.UTC(2026, 2, 10);
const HOUR = 3_600_000;
const HEART_RATE = 1;

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

/** Records of most types for one day, with deletions and replaced windows. */
function records(day: number): HealthRecord[] {
  const startMs = START + day * 24 * HOUR;
  const rate = (hour: number, source: SourceIdentity, value: number) =>
    sample('heart_rate', new Date(startMs + hour * HOUR).toISOString(), value, { source });
  const window = { provider: 'google', writer: 'cloud', startMs, endMs: startMs + 24 * HOUR } as const;
  return [
    { kind: 'deletion', provider: 'apple', of: 'samples', typeId: HEART_RATE, startMs, endMs: startMs + 2 * HOUR },
    { kind: 'deletion', provider: 'google', of: 'samples', typeId: HEART_RATE, startMs, endMs: startMs + HOUR },
    { kind: 'deletion', provider: 'apple', of: 'session', externalId: 'gone' },
    { kind: 'replacement', of: 'samples', typeIds: [HEART_RATE], ...window },
    { kind: 'replacement', of: 'workouts', ...window },
    { kind: 'replacement', of: 'sleep_sessions', ...window },
    rate(1, APP, 60),
    { ...rate(3, APP, 70), offsetMinutes: day * 60 },
    rate(4, VENDOR, 80),
    rate(26, APP, 90),
    { kind: 'sleep_stage', source: APP, stage: 'deep', startMs, endMs: startMs + HOUR },
    { kind: 'sleep_session', source: VENDOR, startMs, endMs: startMs + 6 * HOUR },
    { kind: 'workout', source: VENDOR, type: 'running', startMs: startMs + 8 * HOUR, endMs: startMs + 9 * HOUR },
    { kind: 'health_score', source: VENDOR, category: 'sleep', value: 80, atMs: startMs + 7 * HOUR },
  ];
}

/** Patterns of the statements that a write may execute only once. */
const READ_ONCE = {
  'the lock of the user': /from user_state where user_key = \$1 for no key update/,
  'the timeline of offsets': /left join offset_day/,
  'what was archived': /from user_archive/,
  'the sources': /from data_source where user_key = \$1\) row/,
  'the learnt apps': /from source_alias/,
};

it.each([
  ['one batch', [records(1)]],
  ['several batches', [records(2), records(3), records(1)]],
])('reads user data once per transaction when storing %s', async (_, deliveries) => {
  const user = await fixture.newUser();
  await fixture.write(user, ...records(0), ...records(1));
  await fixture.pool.query(
    "insert into user_archive (user_key, archived_before, windows) values ($1, '2026-01-01', 1)",
    [user],
  );
  const texts = await statementsOf(fixture.pool, (client) =>
    fixture.writer.writeAllIn(
      client,
      user,
      deliveries.map((delivery) => batchOf(delivery)),
    ),
  );
  const counts = Object.entries(READ_ONCE).map(([what, text]) => [what, texts.filter((one) => text.test(one)).length]);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(Object.keys(READ_ONCE).map((what) => [what, 1])));
});

/** Returns how often a write of these records reads samples. */
async function sampleReads(user: number, records: HealthRecord[]): Promise<number> {
  const texts = await statementsOf(fixture.pool, (client) =>
    fixture.writer.writeAllIn(client, user, [batchOf(records)]),
  );
  return texts.filter((text) => /^copy \(/.test(text.trim())).length;
}

function rateOf(externalId: string, startMs: number): HealthRecord {
  return { ...sample('heart_rate', new Date(startMs).toISOString(), 60, { source: VENDOR }), externalId };
}

it('reads 1,000 replaced windows with fewer than five additional queries', async () => {
  const windows = (count: number): HealthRecord[] =>
    Array.from({ length: count }, (_, index) => {
      const startMs = START + 2 * index * HOUR;
      const span = { provider: 'google', writer: 'cloud', startMs, endMs: startMs + HOUR } as const;
      return { kind: 'replacement', of: 'samples', typeIds: [HEART_RATE], externalIds: [`id-${index}`], ...span };
    });
  const rates = Array.from({ length: 1_000 }, (_, index) => rateOf(`id-${index}`, START + 2 * index * HOUR));
  const user = await fixture.newUser();
  await fixture.write(user, ...rates);
  const one = await sampleReads(user, windows(1));
  // The days are recomputed in groups.
  expect(await sampleReads(user, windows(1_000))).toBeLessThan(one + 5);
  const { rows } = await fixture.pool.query('select count(*)::int as n from sample where user_key = $1', [user]);
  expect(rows).toEqual([{ n: 0 }]);
});

it('reads samples as often for 300 moved workouts as for one', async () => {
  const workouts = (count: number, byMs: number): HealthRecord[] =>
    Array.from({ length: count }, (_, index) => {
      const startMs = START + index * HOUR + byMs;
      const endMs = startMs + HOUR / 2;
      return { kind: 'workout', source: VENDOR, externalId: `run-${index}`, type: 'running', startMs, endMs };
    });
  const rates = Array.from({ length: 300 }, (_, index) => rateOf(`run-${index}`, START + index * HOUR));
  const user = await fixture.newUser();
  await fixture.write(user, ...workouts(300, 0), ...rates);
  const one = await sampleReads(user, workouts(1, HOUR / 4));
  expect(await sampleReads(user, workouts(300, HOUR / 3))).toBe(one);
  const { rows } = await fixture.pool.query('select count(*)::int as n from sample where user_key = $1', [user]);
  expect(rows).toEqual([{ n: 0 }]);
});

it("loads a batch's user data with one statement", async () => {
  const user = await fixture.newUser();
  await fixture.write(user, ...records(0));
  const texts = await statementsOf(fixture.pool, (client) =>
    fixture.writer.writeAllIn(client, user, [
      batchOf([sample('heart_rate', '2026-03-10T12:00Z', 60, { source: APP })]),
    ]),
  );
  const [, , load = ''] = texts;
  const tables = ['offset_day', 'user_archive', 'data_source', 'source_alias', 'session_tombstone', 'push_device'];
  expect(tables.filter((table) => load.includes(`from ${table} `) || load.includes(`join ${table} `))).toEqual(tables);
});
