import {
  BatchBuilder,
  batchOf,
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_MINUTE,
  SLOT_ID_BITS,
  slotOfUnknownId,
} from '@healthd/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, filed, joinAll, NAMED, pushed, storedByWriter } from '../../../../../test/support/app-days.js';
import { openRecordFixture, type RecordFixture } from '../../../../../test/support/record-fixture.js';
import { sample } from '../../../../../test/support/records.js';
import { archiveUser } from '../../archive/archive-user.js';

const DAYS = [1, 2, 3, 4, 5, 6, 7, 8];
const FOURTH = Date.UTC(2026, 2, 4) / MS_PER_DAY;

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const join = (user: number) => joinAll(fixture, user);
const write = (user: number, records: HealthRecord[]) => fixture.writer.write(user, batchOf(records));
async function userWith(...deliveries: HealthRecord[][]): Promise<number> {
  const user = await fixture.newUser();
  for (const records of deliveries) await write(user, records);
  return user;
}
const rows = async <Row extends object>(user: number, sql: string) => (await fixture.pool.query<Row>(sql, [user])).rows;
const workoutsOf = (user: number) =>
  rows<{ id: string; day: string }>(
    user,
    'select id, local_date::text as day from workout where user_key = $1 order by start_at, created_at',
  );

test('keeps the ids that a phone pushed for joined samples', async () => {
  const user = await userWith(filed([1, 2, 3]));
  const builder = new BatchBuilder(100);
  for (const record of pushed([2, 3, 4])) {
    builder.add(record);
    if (record.kind === 'sample') builder.markPushed(record.externalId, undefined);
  }
  const pushedBy = { provider: 'apple', device: 'phone' } as const;
  await fixture.writer.write(user, { ...builder.take(), pushedBy });
  expect(await join(user)).toBe(1);
  const items = ['strong 2 h0', 'strong 4 e10', 'strong 4 h5'].map((id) => ({ id }));
  const deletion = batchOf([{ kind: 'deletion', provider: 'apple', of: 'pushed', items }]);
  const { deletions } = await fixture.writer.write(user, { ...deletion, pushedBy });
  expect(deletions).toMatchObject({ deleted: 3, notFound: 0 });
});

test('keeps the latest deletion of a range for joined sources', async () => {
  const user = await userWith(filed(DAYS), pushed(DAYS));
  await fixture.pool.query(
    `insert into pushed_range (user_key, provider, source_id, type_id, start_at, end_at, received_at)
     select user_key, provider, source_id, type_id, '2026-03-01', '2026-03-02',
            timestamptz '2026-03-09' + sign * source_id * interval '1 minute'
       from data_source cross join (values (80, 1), (81, -1)) as given (type_id, sign) where user_key = $1`,
    [user],
  );
  const latest = 'select type_id, max(received_at) as at from pushed_range where user_key = $1 group by 1 order by 1';
  const before = await rows(user, latest);
  expect(await join(user)).toBe(1);
  expect(await rows(user, latest)).toEqual(before);
});

describe('a locally deleted session', () => {
  const onThird = async (user: number) => (await workoutsOf(user)).filter(({ day }) => day === '2026-03-03');

  test('stays deleted when redelivered under a joined source', async () => {
    const user = await userWith(filed(DAYS));
    const [workout] = await onThird(user);
    await fixture.writer.deleteSession(user, 'workout', workout?.id as string);
    const [night] = await rows<{ id: string }>(
      user,
      "select id from sleep_session where user_key = $1 and wake_date = '2026-03-05'",
    );
    await fixture.writer.deleteSession(user, 'sleep_session', night?.id as string);
    await write(user, pushed(DAYS));
    expect(await onThird(user)).toHaveLength(1);
    expect(await join(user)).toBe(1);
    for (const again of [filed(DAYS), pushed(DAYS)]) {
      expect((await write(user, again)).items.suppressed).toBe(3);
      expect(await onThird(user)).toEqual([]);
      const nights = await rows(user, "select from sleep_session where user_key = $1 and wake_date = '2026-03-05'");
      expect(nights).toEqual([]);
    }
    expect(await fixture.writer.restoreSession(user, 'workout', workout?.id as string)).toBe(true);
  });

  test('keeps its remaining copy if only one copy was deleted', async () => {
    const user = await userWith(filed(DAYS), pushed(DAYS));
    const [first, second] = await onThird(user);
    await fixture.writer.deleteSession(user, 'workout', first?.id as string);
    await join(user);
    expect(await onThird(user)).toEqual([second]);
    expect((await write(user, filed(DAYS))).items.suppressed).toBe(0);
    expect((await write(user, pushed(DAYS))).items.suppressed).toBe(0);
    expect(await onThird(user)).toEqual([second]);
  });

  test('stays deleted if it was deleted under both sources', async () => {
    const user = await userWith(filed(DAYS), pushed(DAYS));
    for (const { id } of await onThird(user)) await fixture.writer.deleteSession(user, 'workout', id);
    expect(await join(user)).toBe(1);
    for (const again of [filed(DAYS), pushed(DAYS)]) expect((await write(user, again)).items.suppressed).toBe(1);
    expect(await onThird(user)).toEqual([]);
  });

  test('stays deleted if deleted while its sources are being joined', async () => {
    const user = await userWith(filed([1, 2, 3, 4]), pushed(DAYS));
    expect(await joinAll(fixture, user, 2)).toBe(0);
    const [last] = (await workoutsOf(user)).filter(({ day }) => day === '2026-03-08');
    await fixture.writer.deleteSession(user, 'workout', last?.id as string);
    expect(await join(user)).toBe(1);
    for (const again of [filed(DAYS), pushed(DAYS)]) {
      expect((await write(user, again)).items.suppressed).toBe(1);
      expect((await workoutsOf(user)).filter(({ day }) => day === '2026-03-08')).toEqual([]);
    }
    expect(await fixture.writer.restoreSession(user, 'workout', last?.id as string)).toBe(true);
  });
});

describe('days with archived samples', () => {
  const archive = (user: number) =>
    archiveUser(fixture.pool, user, { beforeDay: FOURTH, compare: (a, b) => a.sourceId - b.sourceId, deviceOrder: 0 });
  const figures = async (user: number) => {
    const { days, minutes, sources } = await storedByWriter(fixture, user);
    return { days, minutes, sources };
  };
  const kept = (user: number) =>
    Promise.all(
      ['day_archive', 'archived_minute', 'merged_archive'].map((table) =>
        rows(
          user,
          `select to_jsonb(t) - 'user_key' - 'source_id' as kept from ${table} t where user_key = $1 order by 1`,
        ),
      ),
    );

  test('contain the same samples as the file alone after joining', async () => {
    const [user, alone] = [await userWith(filed(DAYS), pushed(DAYS)), await userWith(filed(DAYS))];
    expect(await archive(user)).toBe(2 * (await archive(alone)));
    expect(await join(user)).toBe(1);
    expect(await storedByWriter(fixture, user)).toEqual(await storedByWriter(fixture, alone));
    expect(await kept(user)).toEqual(await kept(alone));
  });

  test.each([
    ['export', filed(DAYS), pushed(DAYS)],
    ['phone', pushed(DAYS), filed(DAYS)],
  ])('count later data once if the %s data was archived first', async (_, early, late) => {
    const user = await userWith(early);
    expect(await archive(user)).toBe(18);
    await write(user, late);
    expect(await join(user)).toBe(1);
    expect(await figures(user)).toEqual(await figures(await userWith(filed(DAYS))));
    expect((await write(user, filed([1, 2, 3]))).items.archived).toBe(18);
  });

  test('add up the archived parts of both sources', async () => {
    const isMiddle = (record: HealthRecord) =>
      record.kind === 'sample' && record.startMs === Date.parse(at(2, '17:10'));
    const isEdge = (record: HealthRecord) =>
      record.kind === 'sample' &&
      [0, 5, 20].some((minute) => record.startMs === Date.parse(at(2, '17:00')) + minute * MS_PER_MINUTE);
    const user = await userWith(
      filed(DAYS).filter((record) => !isMiddle(record)),
      pushed(DAYS).filter((record) => !isEdge(record)),
    );
    await archive(user);
    expect(await join(user)).toBe(1);
    expect(await figures(user)).toEqual(await figures(await userWith(filed(DAYS))));
  });
});

test('never marks joined items of a phone source as file data', async () => {
  const user = await userWith(filed(DAYS), pushed(DAYS));
  await fixture.pool.query(
    `update sample set slot = ${slotOfUnknownId(0)} where user_key = $1 and type_id in
       (select min(type_id) from sample where user_key = $1)
       and source_id = (select max(source_id) from data_source where user_key = $1)`,
    [user],
  );
  await join(user);
  const fromFiles = `slot & ${SLOT_ID_BITS} = 0`;
  expect(await rows(user, `select * from sample where user_key = $1 and ${fromFiles}`)).toEqual([]);
  expect(await rows(user, 'select * from sleep_stage where user_key = $1 and from_file')).toEqual([]);
  expect(await rows(user, 'select * from workout where user_key = $1 and external_id is null')).toEqual([]);
});

test('counts a condensed export item and its pushed pieces only once', async () => {
  const day = filed([9]).filter((record) => record.kind !== 'sample' || record.value >= 100);
  const whole = sample('energy', at(9, '17:00'), 49 + 59 + 69, { source: NAMED, minutes: 30 });
  const user = await userWith([...filed(DAYS), ...day, whole], pushed([...DAYS, 9]));
  expect(await join(user)).toBe(1);
  const { samples, days } = await storedByWriter(fixture, user);
  const alone = await storedByWriter(fixture, await userWith(filed([...DAYS, 9])));
  expect({ samples, days }).toEqual({ samples: alone.samples, days: alone.days });
});

test('detects an alias even if the export condenses items of every day', async () => {
  const condensed = DAYS.flatMap((day) => [
    ...filed([day]).filter((record) => record.kind !== 'sample' || record.value >= 100),
    sample('energy', at(day, '17:00'), 3 * (50 + day), { source: NAMED, minutes: 30 }),
  ]);
  const user = await userWith(condensed, pushed(DAYS));
  expect(await join(user)).toBe(1);
  const { samples, days } = await storedByWriter(fixture, user);
  const alone = await storedByWriter(fixture, await userWith(filed(DAYS)));
  expect({ samples, days }).toEqual({ samples: alone.samples, days: alone.days });
});

test('joins stored values that are no longer accepted', async () => {
  const user = await userWith(filed(DAYS), pushed(DAYS));
  await fixture.pool.query(
    `update sample set value = value * 1e6 where user_key = $1 and start_at = '2026-03-08T17:20Z'
        and source_id = (select max(source_id) from data_source where user_key = $1)`,
    [user],
  );
  expect(await join(user)).toBe(1);
  const values = await rows<{ value: number }>(
    user,
    "select value from sample where user_key = $1 and start_at = '2026-03-08T17:20Z' order by value",
  );
  expect(values.map(({ value }) => value)).toEqual([68, 68e6]);
});

test('keeps joined sources and tombstones after provider deletion', async () => {
  const user = await userWith(filed(DAYS), pushed(DAYS));
  await join(user);
  const [first] = await workoutsOf(user);
  await fixture.writer.deleteSession(user, 'workout', first?.id as string);
  await fixture.writer.deleteProvider(user, 'apple');
  expect((await write(user, pushed(DAYS))).items.suppressed).toBe(1);
  const sources = await rows(user, 'select writer, device_model from data_source where user_key = $1');
  expect(sources).toEqual([{ writer: NAMED.writer, device_model: null }]);
});
