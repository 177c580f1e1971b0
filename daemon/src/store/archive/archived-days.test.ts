import {
  dayNumber,
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { Priorities } from '../../priorities/ranking.js';
import { compareInAccount } from '../../query/selection/select-source.js';
import { archiveUser, expireUser } from './index.js';

const STEPS = 80;
const SOURCE: SourceIdentity = { provider: 'apple', deviceModel: 'Watch6,2', deviceType: 'watch' };
const BEFORE_DAY = dayNumber('2026-03-10') as number;
const BORDER_MS = BEFORE_DAY * MS_PER_DAY;

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const OFFSETS = [-720, -570, -300, 0, 60, 345, 840];

/**
 * Returns the hourly samples that `isRequested` selects, from 26 hours before to 26 hours after the start of the UTC
 * day.
 */
function hourly(offsetMinutes: number, isRequested: (startMs: number) => boolean): HealthRecord[] {
  return Array.from({ length: 53 }, (_, index) => BORDER_MS + (index - 26) * MS_PER_HOUR)
    .filter(isRequested)
    .map((startMs) => ({
      kind: 'sample',
      source: SOURCE,
      typeId: STEPS,
      startMs,
      offsetMinutes,
      value: 10,
      sampleKind: 'sample',
    }));
}

const localDay = (startMs: number, offsetMinutes: number) =>
  Math.floor((startMs + offsetMinutes * MS_PER_MINUTE) / MS_PER_DAY);

async function startsOf(user: number): Promise<number[]> {
  const { rows } = await fixture.pool.query<{ ms: number }>(
    'select extract(epoch from start_at)::float8 * 1000 as ms from sample where user_key = $1 order by start_at',
    [user],
  );
  return rows.map(({ ms }) => Math.round(ms));
}

const WORK = {
  archives: async (user: number) => {
    const priorities = new Priorities(new Map(), new Map());
    const { deviceOrder } = priorities;
    await archiveUser(fixture.pool, user, {
      beforeDay: BEFORE_DAY,
      compare: compareInAccount(priorities),
      deviceOrder,
    });
  },
  deletes: async (user: number) => {
    await expireUser(fixture.pool, user, { beforeDay: BEFORE_DAY, audit: async () => {} });
  },
};

it.each((['archives', 'deletes'] as const).flatMap((work) => OFFSETS.map((offset) => [work, offset] as const)))(
  '%s exactly the local days before the limit (offset %i)',
  async (work, offsetMinutes) => {
    // Tests samples on both sides of midnight UTC. Then tests only samples after midnight, because these samples must
    // also be found on their own.
    for (const isRequested of [() => true, (startMs: number) => startMs >= BORDER_MS]) {
      const user = await fixture.newUser();
      const records = hourly(offsetMinutes, isRequested);
      await fixture.write(user, ...records);
      await WORK[work](user);
      const kept = records.flatMap((record) => (record.kind === 'sample' ? [record.startMs] : []));
      expect(await startsOf(user)).toEqual(kept.filter((startMs) => localDay(startMs, offsetMinutes) >= BEFORE_DAY));
    }
  },
);

it.each([
  ['beginning', 0, 36, ['2026-03-09']],
  ['end', 12, 48, ['2026-03-08']],
])('keeps an archived day if only its %s is deleted', async (_, fromHours, toHours, kept) => {
  const user = await fixture.newUser();
  const firstMs = BORDER_MS - 2 * MS_PER_DAY;
  const steps = [6, 18, 30, 42].map(
    (hour): HealthRecord => ({
      kind: 'sample',
      source: SOURCE,
      typeId: STEPS,
      startMs: firstMs + hour * MS_PER_HOUR,
      offsetMinutes: 0,
      value: 10,
      sampleKind: 'sample',
    }),
  );
  await fixture.write(user, ...steps);
  await WORK.archives(user);
  const span = { startMs: firstMs + fromHours * MS_PER_HOUR, endMs: firstMs + toHours * MS_PER_HOUR };
  await fixture.write(user, { kind: 'deletion', provider: 'apple', of: 'samples', typeId: STEPS, ...span });
  const { rows } = await fixture.pool.query<{ date: string }>(
    'select local_date as date from day_archive where user_key = $1 order by local_date',
    [user],
  );
  expect(rows.map(({ date }) => date)).toEqual(kept);
});

it.each(['archives', 'deletes'] as const)('%s a later sample on an earlier local day', async (work) => {
  const user = await fixture.newUser();
  const hours = (hour: number, offsetMinutes: number) =>
    hourly(offsetMinutes, (startMs) => startMs === BORDER_MS + hour * MS_PER_HOUR);
  // The second sample is later and on an earlier local day.
  await fixture.write(user, ...hours(-24, 840), ...hours(-13, -720), ...hours(12, -720));
  await WORK[work](user);
  expect(await startsOf(user)).toEqual([BORDER_MS + 12 * MS_PER_HOUR]);
});

it.each([1, 2, 5_000])(
  'deletes the IDs of archived samples in transactions of at most %i rows',
  async (rowsPerStep) => {
    const user = await fixture.newUser();
    const records = hourly(0, () => true);
    await fixture.write(user, ...records);
    const [bloodPressure, oldMs] = [seriesTypeByCode('blood_pressure_systolic').id, BORDER_MS - 10 * MS_PER_DAY];
    const ids = [
      ...[1, 2, 3, 4, 5].map((id) => ({ id, type: STEPS, ms: oldMs })),
      // Series that are never archived, and days that are not archived yet.
      { id: 6, type: bloodPressure, ms: oldMs },
      { id: 7, type: STEPS, ms: BORDER_MS },
    ];
    await fixture.pool.query(
      `insert into pushed_sample (user_key, id_hash, start_at, source_id, slot, type_id, device)
     select $1, id, to_timestamp(ms / 1000), (select source_id from data_source where user_key = $1), 0, type, 0
       from json_to_recordset($2) as given (id bigint, type smallint, ms float8)`,
      [user, JSON.stringify(ids)],
    );
    await archiveUser(fixture.pool, user, { beforeDay: BEFORE_DAY, compare: () => 0, deviceOrder: 0, rowsPerStep });
    const { rows } = await fixture.pool.query<{ id: number }>(
      'select id_hash::int as id from pushed_sample where user_key = $1 order by id_hash',
      [user],
    );
    expect(rows.map(({ id }) => id)).toEqual([6, 7]);
    expect((await startsOf(user)).length).toBeGreaterThan(0);
  },
);
