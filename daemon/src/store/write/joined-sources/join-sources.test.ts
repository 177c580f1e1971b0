import { batchOf, type HealthRecord, MS_PER_HOUR, type SampleRecord, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  at,
  BY_BUNDLE_ID,
  filed,
  joinAll,
  NAMED,
  pushed,
  storedByWriter,
} from '../../../../../test/support/app-days.js';
import { openRecordFixture, type RecordFixture } from '../../../../../test/support/record-fixture.js';
import { sample } from '../../../../../test/support/records.js';
import { statementsOf } from '../../../../../test/support/statements.js';
import { inTransaction } from '../../../platform/database/index.js';

const MIRROR: SourceIdentity = { provider: 'apple', writer: 'Mirror Sync' };
const BUNDLE_MIRROR: SourceIdentity = { ...BY_BUNDLE_ID, writer: 'com.example.mirror' };
const DAYS = [1, 2, 3, 4, 5];

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const join = (user: number, most?: number) => joinAll(fixture, user, most);
const stored = (user: number) => storedByWriter(fixture, user);
async function userWith(...deliveries: HealthRecord[][]): Promise<number> {
  const user = await fixture.newUser();
  for (const records of deliveries) await fixture.writer.write(user, batchOf(records));
  return user;
}
const writers = async (user: number) =>
  (
    await fixture.pool.query<{ writer: string }>('select writer from data_source where user_key = $1 order by 1', [
      user,
    ])
  ).rows.map(({ writer }) => writer);
const waiting = async (user: number) =>
  (await fixture.pool.query("select from pending_repair where user_key = $1 and repair = 'join_sources'", [user]))
    .rowCount;

describe('an app with an export name and a bundle id', () => {
  test.each([
    ['a file and then pushes', [filed(DAYS), pushed(DAYS)]],
    ['pushes and then a file', [pushed(DAYS), filed(DAYS)]],
    ['alternating days', [pushed([1]), filed([1, 2]), pushed([2]), pushed([3, 4]), filed(DAYS), pushed([5])]],
    ['pushes and files twice', [pushed(DAYS), filed(DAYS), pushed(DAYS), filed(DAYS)]],
    ['items in any order', [shuffled(pushed(DAYS)), shuffled(filed(DAYS)), shuffled(pushed([2, 4]))]],
  ])('becomes one source with exactly the data of the file, delivered: %s', async (_, deliveries) => {
    const user = await userWith(...deliveries);
    expect(await waiting(user)).toBe(1);
    expect(await join(user)).toBe(1);
    expect(await stored(user)).toEqual(await stored(await userWith(filed(DAYS))));
  });

  test('uses one source for data that arrives during and after joining', async () => {
    const user = await userWith(filed([1, 2, 3]), pushed([1, 2, 3]));
    await join(user, 1);
    await fixture.write(user, ...pushed([4]));
    await fixture.write(user, ...filed([4, 5]));
    await join(user);
    await fixture.write(user, ...pushed(DAYS));
    expect(await stored(user)).toEqual(await stored(await userWith(filed(DAYS))));
    expect(await writers(user)).toEqual(['Strong']);
  });

  test('keeps the items of both sources under one source', async () => {
    const user = await userWith(filed([1, 2, 3]), pushed([2, 3, 4, 5]));
    const ids = (await fixture.pool.query('select id from workout where user_key = $1 order by start_at', [user])).rows;
    await join(user);
    expect(await stored(user)).toEqual(await stored(await userWith(filed(DAYS))));
    const kept = (await fixture.pool.query('select id from workout where user_key = $1', [user])).rows;
    expect(ids).toEqual(expect.arrayContaining(kept));
  });

  test('is joined completely despite repeated interruptions', async () => {
    const user = await userWith(filed(DAYS), pushed(DAYS));
    for (let cut = 0; cut < 15; cut++) {
      const client = await fixture.pool.connect();
      await client.query('begin');
      await fixture.writer.joinSources(client, user);
      await client.query('rollback');
      client.release(true);
      await join(user, 1);
    }
    expect(await stored(user)).toEqual(await stored(await userWith(filed(DAYS))));
  });

  test('is joined in several chunks despite a write between chunks', async () => {
    const rates = (source: SourceIdentity) =>
      Array.from({ length: 20_500 }, (_, second) => ({
        ...sample(
          'heart_rate',
          new Date(Date.parse(at(3, '08:00')) + second * 1000).toISOString(),
          60 + (second % 90),
          { source },
        ),
        externalId: source === BY_BUNDLE_ID ? `rate ${second}` : undefined,
      }));
    const user = await userWith([...filed(DAYS), ...rates(NAMED)], [...pushed(DAYS), ...rates(BY_BUNDLE_ID)]);
    for (let batch = 0; batch < 2; batch++) await join(user, 1);
    const { samples } = await stored(user);
    expect(samples?.length).toBeGreaterThan(20_500 + 30);
    expect(samples?.length).toBeLessThan(2 * 20_500);
    await fixture.write(user, ...pushed([6]));
    await join(user);
    expect(await stored(user)).toEqual(await stored(await userWith([...filed(DAYS), ...rates(NAMED), ...filed([6])])));
  });

  test('stays separate from another app that arrives at the same time', async () => {
    const [other, toldOther] = [
      { ...NAMED, writer: 'Other App' },
      { ...BY_BUNDLE_ID, writer: 'com.example.other' },
    ];
    const elsewhere = (records: HealthRecord[]) =>
      records.map((record) =>
        'value' in record && record.value !== undefined
          ? { ...record, value: record.value + 3 }
          : { ...record, ...moved(record) },
      );
    const exported = [...filed(DAYS), ...elsewhere(filed(DAYS, other))];
    const user = await userWith(exported, [...pushed(DAYS), ...elsewhere(pushed(DAYS, toldOther, { app: 'other' }))]);
    expect(await join(user)).toBe(2);
    expect(await stored(user)).toEqual(await stored(await userWith(exported)));
  });

  test('is joined on each of its devices', async () => {
    const watch = (source: SourceIdentity): SourceIdentity => ({ ...source, deviceModel: 'Watch7,5' });
    const user = await userWith(
      filed(DAYS, watch(NAMED)),
      pushed(DAYS, watch(BY_BUNDLE_ID)),
      filed([6, 7]),
      pushed([6, 7]),
    );
    expect(await join(user)).toBe(2);
    expect(await writers(user)).toEqual(['Strong', 'Strong']);
  });
});

describe('two separate sources are not joined', () => {
  const apart = async (...deliveries: HealthRecord[][]) => {
    const user = await userWith(...deliveries);
    const before = await stored(user);
    expect(await join(user)).toBe(0);
    expect(await stored(user)).toEqual(before);
  };

  test("if one app copies another app's data", async () => {
    const mirrored = [...filed(DAYS), ...filed(DAYS, MIRROR)];
    await apart(mirrored, [...pushed(DAYS), ...pushed(DAYS, BUNDLE_MIRROR, { app: 'mirror' })]);
    await apart(filed(DAYS), [...pushed(DAYS), ...pushed(DAYS, BUNDLE_MIRROR, { app: 'mirror' })]);
    await apart(mirrored, pushed(DAYS, BUNDLE_MIRROR, { app: 'mirror' }));
  });

  test('if both copied the equal items from a known third app', async () => {
    const user = await userWith(filed(DAYS), pushed(DAYS));
    await join(user);
    await fixture.write(user, ...filed(DAYS, MIRROR), ...pushed(DAYS, BUNDLE_MIRROR, { app: 'mirror' }));
    expect(await join(user)).toBe(0);
    expect(await writers(user)).toEqual(['Mirror Sync', 'Strong', 'com.example.mirror']);
  });

  test('if the copying app has additional data', async () => {
    const own = (source: SourceIdentity) =>
      [1, 2, 3].map((day) => sample('energy', at(day, '20:00'), 7, { source, minutes: 10 }));
    await apart(filed(DAYS), [...pushed(DAYS, BUNDLE_MIRROR), ...own(BUNDLE_MIRROR)]);
  });

  test('if a few items are equal by chance', async () => {
    const steps = (source: SourceIdentity, values: number[], ids = false): SampleRecord[] =>
      values.map((value, hour) => ({
        ...sample('steps', at(1 + (hour % 3), `${String(8 + hour).padStart(2, '0')}:00`), value, {
          source,
          minutes: 60,
        }),
        externalId: ids ? `s${hour}` : undefined,
      }));
    await apart(
      steps(NAMED, [100, 200, 300, 400, 500, 600]),
      steps(BY_BUNDLE_ID, [100, 200, 300, 400, 500, 601], true),
    );
    await apart(steps(NAMED, [100, 200, 300, 400]), steps(BY_BUNDLE_ID, [100, 200, 300, 400], true));
  });

  test('if all equal items are from one day', async () => {
    await apart(filed([1]), pushed([1]));
  });

  test('if the phone delivered both under different ids', async () => {
    await apart(pushed(DAYS, NAMED, { app: 'a' }), pushed(DAYS, BY_BUNDLE_ID, { app: 'b' }));
  });

  test('if their devices or stores differ', async () => {
    await apart(filed(DAYS, { ...NAMED, deviceModel: 'Watch7,5' }), pushed(DAYS));
    await apart(filed(DAYS, { ...NAMED, provider: 'google' }), pushed(DAYS, { ...BY_BUNDLE_ID, provider: 'google' }));
  });

  test('if the name already has another bundle id', async () => {
    const user = await userWith(filed(DAYS), pushed(DAYS));
    await join(user);
    await fixture.write(user, ...filed([8, 9]), ...pushed([8, 9], BUNDLE_MIRROR, { app: 'mirror' }));
    expect(await join(user)).toBe(0);
    expect(await writers(user)).toEqual(['Strong', 'com.example.mirror']);
  });
});

test('joins a copying app by its unique items', async () => {
  const own = (source: SourceIdentity, ids = false) =>
    DAYS.map((day) => ({
      ...sample('weight', at(day, '07:00'), 70 + day, { source }),
      externalId: ids ? `weight ${day}` : undefined,
    }));
  const exported = [...filed(DAYS), ...filed(DAYS, MIRROR), ...own(MIRROR)];
  const reported = [...pushed(DAYS), ...pushed(DAYS, BUNDLE_MIRROR, { app: 'mirror' }), ...own(BUNDLE_MIRROR, true)];
  const user = await userWith(exported, reported);
  expect(await join(user)).toBe(1);
  expect(await writers(user)).toEqual(['Mirror Sync', 'Strong', 'io.strongapp.strong']);
});

test('requests a comparison only for a second app name', async () => {
  const own: SourceIdentity = { provider: 'apple', deviceModel: 'Watch7,5', deviceType: 'watch' };
  const user = await userWith(filed(DAYS, own), filed(DAYS));
  const countRequests = async (records: HealthRecord[]) => {
    const texts = await statementsOf(fixture.pool, (client) => fixture.writer.writeIn(client, user, batchOf(records)));
    return texts.filter((text) => /pending_repair/.test(text)).length;
  };
  expect(await countRequests(pushed(DAYS, own))).toBe(0);
  expect(await countRequests(filed([1], { provider: 'garmin', writer: 'Some App' }))).toBe(0);
  expect(await countRequests(filed([6]))).toBe(0);
  expect(await countRequests(pushed([6]))).toBe(1);
});

test('repeats a comparison only after a change within the common time', async () => {
  const other: SourceIdentity = { ...BY_BUNDLE_ID, writer: 'com.example.other' };
  const user = await userWith(
    filed(DAYS),
    pushed([2, 3, 4, 5]).map((record) => ({ ...record, ...moved(record), source: other })),
  );
  const arrived = async (records: HealthRecord[]) => {
    await fixture.pool.query('delete from pending_repair where user_key = $1', [user]);
    await fixture.writer.write(user, batchOf(records));
    return await waiting(user);
  };
  const ofOther = (days: readonly number[], app = 'strong') =>
    pushed(days, other, { app }).map((record) => ({ ...record, ...moved(record) }));
  expect(await waiting(user)).toBe(1);
  expect(await join(user)).toBe(0);
  expect(await arrived(ofOther([3]))).toBe(0);
  expect(await arrived(ofOther([8]))).toBe(0);
  expect(await arrived(ofOther([10, 11]))).toBe(0);
  expect(await arrived(filed([3]))).toBe(0);
  expect(await arrived([sample('heart_rate', at(3, '12:00'), 60, { source: other })])).toBe(1);
  await join(user);
  // Items that arrived after the comparison count too.
  expect(await arrived(ofOther([14]))).toBe(0);
  expect(await arrived(filed([14]))).toBe(1);
});

test('covers every batch of a transaction with the compared time range', async () => {
  const other: SourceIdentity = { ...BY_BUNDLE_ID, writer: 'com.example.other' };
  const ofOther = (days: readonly number[]) => pushed(days, other).map((record) => ({ ...record, ...moved(record) }));
  const user = await userWith(filed(DAYS), ofOther([2, 3, 4, 5]));
  await join(user);
  await fixture.pool.query('delete from pending_repair where user_key = $1', [user]);
  await inTransaction(fixture.pool, (client) =>
    fixture.writer.writeAllIn(client, user, [batchOf(ofOther([20])), batchOf(ofOther([10]))]),
  );
  expect(await waiting(user)).toBe(0);
  await fixture.writer.write(user, batchOf(filed([20])));
  expect(await waiting(user)).toBe(1);
});

test('queues no comparison if no apps can match', async () => {
  const own: SourceIdentity = { provider: 'apple', deviceModel: 'Watch7,5', deviceType: 'watch' };
  expect(await waiting(await userWith(filed(DAYS, own), pushed(DAYS)))).toBe(0);
  expect(await waiting(await userWith(filed(DAYS)))).toBe(0);
});

function moved(record: HealthRecord) {
  return 'endMs' in record ? { startMs: record.startMs + MS_PER_HOUR, endMs: record.endMs + MS_PER_HOUR } : {};
}

/** Returns the items in an order that looks random and is the same in every run. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item, index) => ({ item, order: ((index * 7919) % 104_729) % 97 }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
