import { archiveOldData } from '@healthd/daemon/retention';
import { MS_PER_DAY, seriesTypeById } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { payload } from './push-payloads.js';

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());

const SCALE = { appId: 'com.example.scale', deviceModel: 'SM-S928' };
const WATCH = { deviceName: 'Galaxy Watch8', deviceModel: 'SM-L330', deviceType: 'watch' };
const DAY = '2026-03-10';
const at = (time: string) => `${DAY}T${time}:00Z`;

const weight = (id: string | undefined, time: string, value: number, source: object = SCALE) => ({
  id,
  type: 'WEIGHT',
  startDate: at(time),
  endDate: at(time),
  zoneOffset: '+01:00',
  value,
  unit: 'kg',
  source,
});
const stage = (id: string, name: string, start: string, end: string, values?: object[]) => ({
  id,
  parentId: 'night-1',
  stage: name,
  startDate: start,
  endDate: end,
  zoneOffset: '+01:00',
  source: WATCH,
  values,
});
const NIGHT = [
  stage('n-0', 'light', '2026-03-09T22:00:00Z', '2026-03-10T01:00:00Z', [
    { type: 'sleepScore', value: 84, unit: 'score' },
  ]),
  stage('n-1', 'deep', '2026-03-10T01:00:00Z', '2026-03-10T05:00:00Z'),
];
const RIDE = {
  id: 'ride-1',
  type: 'cycling',
  startDate: at('17:00'),
  endDate: at('17:50'),
  zoneOffset: '+01:00',
  source: WATCH,
  values: [{ type: 'duration', value: 3_000_000, unit: 'ms' }],
  samples: [{ timestamp: at('17:01'), type: 'heartRate', value: 120, unit: 'bpm' }],
};

type Lists = Record<string, readonly object[]>;
const push = (user: string, data: Lists, provider = 'samsung') => fixture.pushed(user, payload(provider, data));
const reported = async (user: string, data: Lists, provider?: string) => {
  const { status, metadata } = await push(user, data, provider);
  return { status, deleted: metadata.deleted, not_found: metadata.not_found };
};

/** Returns series and values of the stored samples, workouts, stages and scores. */
async function stored(user: string): Promise<string[]> {
  const samples = await fixture.rows<{ type_id: number; value: number }>(
    `select type_id, value from sample join health_user using (user_key) where id = $1 order by start_at, value`,
    [user],
  );
  const rows = await fixture.rows<{ row: string }>(
    `select 'workout ' || type as row from workout join health_user u using (user_key) where u.id = $1
     union all select 'stage ' || stage from sleep_stage join health_user u using (user_key) where u.id = $1
     union all select 'night ' || wake_date from sleep_session join health_user u using (user_key) where u.id = $1
     union all select 'score ' || value from health_score join health_user u using (user_key) where u.id = $1
     order by 1`,
    [user],
  );
  return [
    ...samples.map(({ type_id, value }) => `${seriesTypeById(type_id)?.code} ${value}`),
    ...rows.map(({ row }) => row),
  ];
}

describe('deletion by id', () => {
  it('removes a pushed sample from its day', async () => {
    const user = await fixture.createUser();
    await push(user, { records: [weight('w-1', '07:00', 80), weight('w-2', '08:00', 81)] });
    expect(await reported(user, { deleted: [{ id: 'w-1', type: 'WEIGHT' }, { id: 'w-9' }] })).toEqual({
      status: 'success',
      deleted: 1,
      not_found: 1,
    });
    expect(await stored(user)).toEqual(['weight 81']);
    const days = await fixture.rows(
      'select sample_count as n, sample_max as max from day_value join health_user using (user_key) where id = $1',
      [user],
    );
    expect(days).toEqual([{ n: 1, max: 81 }]);
  });

  it('removes all samples of a parent item', async () => {
    const user = await fixture.createUser();
    const rates = [60, 61, 62].map((value, n) => ({
      ...weight(`hr-1-s${n}`, `07:0${n}`, value),
      parentId: 'hr-1',
      type: 'HEART_RATE',
      unit: 'bpm',
    }));
    await push(user, { records: rates });
    expect(await reported(user, { deleted: [{ id: 'hr-1' }] })).toMatchObject({ deleted: 1, not_found: 0 });
    expect(await stored(user)).toEqual([]);
    await push(user, { records: rates });
    expect(await stored(user)).toEqual([]);
  });

  it('restores a deleted sample only if the same batch repeats the deletion', async () => {
    const user = await fixture.createUser();
    await push(user, { records: [weight('w-1', '07:00', 80)] });
    await push(user, { deleted: [{ id: 'w-1' }] });
    await push(user, { records: [weight('w-1', '07:00', 80)] });
    expect(await stored(user)).toEqual([]);
    await push(user, { deleted: [{ id: 'w-1' }], records: [weight('w-1', '07:00', 82)] });
    expect(await stored(user)).toEqual(['weight 82']);
  });

  it('stores an equal item that a single batch deletes and adds again', async () => {
    const user = await fixture.createUser();
    const batch = { records: [weight('w-1', '07:00', 80)], sleep: NIGHT, workouts: [RIDE] };
    await push(user, batch);
    const whole = await stored(user);
    const deleted = [{ id: 'w-1' }, { id: 'night-1' }, { id: 'ride-1' }];
    await push(user, { deleted });
    expect(await stored(user)).toEqual([]);
    await push(user, { ...batch, deleted });
    expect(await stored(user)).toEqual(whole);
    await push(user, batch);
    expect(await stored(user)).toEqual(whole);
  });

  it('applies waiting batches in order of arrival', async () => {
    const user = await fixture.createUser();
    const add = payload('samsung', { records: [weight('w-1', '07:00', 80), weight('w-2', '08:00', 81)] });
    const remove = payload('samsung', { deleted: [{ id: 'w-1' }] });
    const late = payload('samsung', { records: [weight('w-1', '07:00', 80)] });
    const edit = payload('samsung', { deleted: [{ id: 'w-2' }], records: [weight('w-2', '08:00', 82)] });
    const batches = [];
    for (const body of [add, remove, late, edit]) batches.push(await fixture.push(user, body));
    for (const batch of batches) await fixture.ended(batch);
    expect(await stored(user)).toEqual(['weight 82']);
  });

  it('applies an edit that arrives as a deletion and an addition', async () => {
    const user = await fixture.createUser();
    await push(user, { records: [weight('w-1', '07:00', 80)], workouts: [RIDE] });
    const edited = { ...RIDE, id: 'ride-2', title: 'Evening' };
    const run = await reported(user, {
      records: [weight('w-2', '07:00', 79)],
      workouts: [edited],
      deleted: [{ id: 'w-1' }, { id: 'ride-1' }],
    });
    expect(run).toMatchObject({ deleted: 2, not_found: 0 });
    expect(await stored(user)).toEqual(['weight 79', 'heart_rate 120', 'workout cycling']);
  });

  it('does not store an item whose deletion arrived first', async () => {
    const user = await fixture.createUser();
    expect(await reported(user, { deleted: [{ id: 'w-1' }] })).toMatchObject({ deleted: 0, not_found: 1 });
    await push(user, { records: [weight('w-1', '07:00', 80)] });
    expect(await stored(user)).toEqual([]);
  });

  it('removes a workout with its samples', async () => {
    const user = await fixture.createUser();
    await push(user, { workouts: [RIDE], records: [weight('w-1', '07:00', 80)] });
    expect(await reported(user, { deleted: [{ id: 'ride-1' }] })).toMatchObject({ deleted: 1 });
    expect(await stored(user)).toEqual(['weight 80']);
    await push(user, { workouts: [RIDE] });
    expect(await stored(user)).toEqual(['weight 80']);
  });

  it('removes an Apple workout although the ID is not unique', async () => {
    const user = await fixture.createUser();
    const source = { appId: 'com.apple.health.1', deviceModel: 'Watch7,5', deviceName: 'Apple Watch' };
    const data = { workouts: [{ ...RIDE, id: '9D0E1F22', values: [], samples: [], source }] };
    await push(user, data, 'apple');
    const deletion = { deleted: [{ id: '9D0E1F22', type: 'HKWorkoutTypeIdentifier' }] };
    expect(await reported(user, deletion, 'apple')).toMatchObject({ deleted: 1 });
    expect(await stored(user)).toEqual([]);
  });

  it('removes a night with its stages and score', async () => {
    const user = await fixture.createUser();
    await push(user, { sleep: NIGHT });
    expect(await stored(user)).toEqual(['night 2026-03-10', 'score 84', 'stage deep', 'stage light']);
    expect(await reported(user, { deleted: [{ id: 'night-1' }] })).toMatchObject({ deleted: 1 });
    expect(await stored(user)).toEqual([]);
    await push(user, { sleep: NIGHT });
    expect(await stored(user)).toEqual([]);
  });

  it('shortens a night by one deleted stage', async () => {
    const user = await fixture.createUser();
    await push(user, { sleep: NIGHT });
    await push(user, { deleted: [{ id: 'n-0' }] });
    const nights = await fixture.rows<{ start_at: Date }>(
      'select start_at from sleep_session join health_user u using (user_key) where u.id = $1',
      [user],
    );
    expect(nights.map(({ start_at }) => start_at.toISOString())).toEqual(['2026-03-10T01:00:00.000Z']);
  });

  it('never deletes data of another store or a cloud', async () => {
    const user = await fixture.createUser();
    await push(user, { records: [weight('w-1', '07:00', 80)] }, 'samsung');
    const [{ user_key } = { user_key: 0 }] = await fixture.rows<{ user_key: number }>(
      'select user_key from health_user where id = $1',
      [user],
    );
    const cloud = { provider: 'google', writer: 'google_health_api' } as const;
    const record = { kind: 'sample', source: cloud, typeId: 1, startMs: Date.parse(at('09:00')), value: 60 } as const;
    const { batchOf } = await import('@healthd/model');
    const batch = batchOf([{ ...record, externalId: 'c-1', sampleKind: 'sample' }]);
    await fixture.writer.write(user_key, batch, { account: 'ada' });
    const range = { type: 'HEART_RATE', start: at('00:00'), end: at('23:00'), source: { appId: 'google_health_api' } };
    expect(await reported(user, { deleted: [{ id: 'w-1' }, { id: 'c-1' }, range] }, 'google')).toMatchObject({
      deleted: 0,
      not_found: 3,
    });
    expect(await stored(user)).toEqual(['weight 80', 'heart_rate 60']);
  });

  it('deletes samples whose IDs version 0.2.0 stored in separate rows', async () => {
    const user = await fixture.createUser();
    const records = [weight('w-1', '07:00', 80), weight('w-2', '08:00', 81)];
    await push(user, { records });
    await listAsBefore(user);
    // Deletes the sample but not the separate row with its ID, like the replacement of a window.
    await fixture.rows(`delete from sample where value = 80 and ${OF_USER}`, [user]);
    expect(await push(user, { records: [...records, weight('w-3', '09:00', 82)] })).toMatchObject({
      status: 'success',
    });
    expect(await listed(user)).toBe(2);
    expect(await reported(user, { deleted: [{ id: 'w-1' }, { id: 'w-3' }] })).toMatchObject({ deleted: 2 });
    expect(await stored(user)).toEqual(['weight 81']);
  });

  it('deletes samples that were pushed before full IDs were stored', async () => {
    const user = await fixture.createUser();
    await push(user, { records: [weight('w-1', '07:00', 80), weight('w-2', '08:00', 81)] });
    await fixture.rows(`update sample set pushed = null where ${OF_USER}`, [user]);
    await fixture.rows(`update data_source set has_unlisted_ids = true where ${OF_USER}`, [user]);
    expect(await reported(user, { deleted: [{ id: 'w-1' }] })).toMatchObject({ deleted: 1 });
    expect(await stored(user)).toEqual(['weight 81']);
  });

  it('deletes samples that two phones pushed', async () => {
    const user = await fixture.createUser();
    const records = [weight('w-1', '07:00', 80), weight(undefined, '08:00', 81)];
    await push(user, { records });
    await push(user, { records });
    expect(await listed(user)).toBe(0);
    const body = payload('samsung', { records });
    await fixture.ended(await fixture.push(user, body, { 'X-Device-ID': 'phone-2' }));
    expect(await listed(user)).toBe(2);
    expect(await reported(user, { deleted: [{ id: 'w-1' }] })).toMatchObject({ deleted: 1 });
    expect(await stored(user)).toEqual(['weight 81']);
    expect(await listed(user)).toBe(1);
  });
});

const OF_USER = 'user_key = (select user_key from health_user where id = $1)';

/** Returns the number of IDs in separate rows. */
async function listed(user: string): Promise<number> {
  return (await fixture.rows(`select from pushed_sample where ${OF_USER}`, [user])).length;
}

/** Moves the IDs of a user's samples to separate rows, where version 0.2.0 stored them. */
async function listAsBefore(user: string): Promise<void> {
  await fixture.rows(
    `insert into pushed_sample (user_key, device, id_hash, start_at, source_id, slot, type_id)
     select user_key, 0, (pushed / 64)::bigint * (1 << 28) + (slot & ((1 << 28) - 1)), start_at, source_id, slot, type_id
       from sample where ${OF_USER}`,
    [user],
  );
  await fixture.rows(`update sample set pushed = null where ${OF_USER}`, [user]);
}

describe('deletion of a range', () => {
  const range = (start: string, end: string, source: object = SCALE) => ({ type: 'WEIGHT', start, end, source });

  it("removes only the source's samples that start in the range", async () => {
    const user = await fixture.createUser();
    const records = [
      weight(undefined, '07:00', 80),
      weight('w-2', '08:00', 81),
      weight(undefined, '09:00', 82),
      weight(undefined, '08:30', 90, { ...SCALE, deviceModel: 'SM-S918' }),
    ];
    await push(user, { records });
    const deleted = [range(at('07:00'), at('09:00')), range(at('10:00'), at('11:00'))];
    expect(await reported(user, { deleted })).toEqual({ status: 'success', deleted: 2, not_found: 1 });
    expect(await stored(user)).toEqual(['weight 90', 'weight 82']);
    // The deleted rows do not return, with or without an ID. A different value at the same time is stored.
    await push(user, { records: [...records.slice(0, 2), weight(undefined, '07:30', 83)] });
    expect(await stored(user)).toEqual(['weight 83', 'weight 90', 'weight 82']);
  });

  it('lets the same batch add equal items again', async () => {
    const user = await fixture.createUser();
    const records = [weight(undefined, '07:00', 80)];
    await push(user, { records });
    await push(user, { records, deleted: [range(at('00:00'), at('12:00'))] });
    expect(await stored(user)).toEqual(['weight 80']);
    await push(user, { records });
    expect(await stored(user)).toEqual(['weight 80']);
  });

  it('removes stages and workouts by their start', async () => {
    const user = await fixture.createUser();
    await push(user, { sleep: NIGHT, workouts: [RIDE] });
    const whole = { start: '2026-03-09T12:00:00Z', end: '2026-03-11T00:00:00Z', source: WATCH };
    const deleted = [
      { type: 'SLEEP', ...whole },
      { type: 'WORKOUT', ...whole },
    ];
    expect(await reported(user, { deleted })).toMatchObject({ deleted: 3, not_found: 0 });
    expect(await stored(user)).toEqual([]);
  });

  it.each([
    ['a range without a source', { ...range(at('07:00'), at('08:00')), source: null }, 'source', 'missing'],
    ['a range without an end', { ...range(at('07:00'), at('08:00')), end: undefined }, 'end', 'missing'],
    ['a range of an unknown type', { ...range(at('07:00'), at('08:00')), type: 'MOOD' }, 'type', 'unknown_type'],
    ['an empty range', range(at('07:00'), at('07:00')), 'end', 'empty_interval'],
    ['a range over 31 days', range('2026-03-01T00:00:00Z', '2026-04-01T00:00:01Z'), 'end', 'interval_too_long'],
    ['an id that is a number', { id: 7 }, 'id', 'invalid_value'],
    ['an entry that is a string', 'w-1', undefined, 'not_an_object'],
  ])('rejects only %s', async (_, entry, field, code) => {
    const user = await fixture.createUser();
    await push(user, { records: [weight('w-1', '07:00', 80)] });
    const run = await push(user, { deleted: [entry as object, { id: 'w-1' }] });
    expect(run).toMatchObject({ status: 'partial', metadata: { deleted: 1, dropped_count: 1 } });
    expect(run.metadata.rejected).toMatchObject([{ collection: 'deleted', index: 0, code, ...(field && { field }) }]);
  });
});

it('deletes samples of the first retained day by parent ID after archiving', async () => {
  const user = await fixture.createUser();
  const rate = (parentId: string, date: string) => ({
    ...weight(`${parentId}-1`, '07:00', 60, WATCH),
    type: 'HEART_RATE',
    unit: 'bpm',
    parentId,
    startDate: `${date}T01:00:00Z`,
    endDate: `${date}T01:00:00Z`,
  });
  await push(user, { records: [rate('old', '2026-03-08'), rate('kept', DAY)] });
  await archiveOldData({
    ...fixture.parts,
    settings: { archiveAfterDays: 1, deleteAfterDays: null },
    nowMs: Date.parse(at('12:00')) + MS_PER_DAY,
    log: { error: (fields: object) => expect(fields).toBeUndefined() },
  });
  expect(await stored(user)).toEqual(['heart_rate 60']);
  expect(await reported(user, { deleted: [{ id: 'kept' }] })).toMatchObject({ deleted: 1, not_found: 0 });
  expect(await stored(user)).toEqual([]);
});

it('rejects deletions above the limit of a batch', async () => {
  const user = await fixture.createUser();
  const deleted = Array.from({ length: 10_003 }, (_, n) => ({ id: `w-${n}` }));
  const run = await push(user, { deleted });
  expect(run).toMatchObject({ status: 'partial', metadata: { deleted: 0, not_found: 10_000, dropped_count: 3 } });
});

describe('the heart rates of a night', () => {
  const rate = (time: string, value: number) => ({
    ...weight(undefined, time, value, WATCH),
    type: 'HEART_RATE',
    unit: 'bpm',
  });
  const archive = () =>
    archiveOldData({
      ...fixture.parts,
      settings: { archiveAfterDays: 1, deleteAfterDays: null },
      nowMs: Date.parse(at('00:00')) + 10 * MS_PER_DAY,
      log: { error: (fields: object) => expect(fields).toBeUndefined() },
    });
  const archived = (user: string) =>
    fixture.rows<{ bpm: number }>(
      `select asleep_sum / asleep_count as bpm from night_archive a join health_user using (user_key)
        where id = $1 and night_source_id = source_id`,
      [user],
    );
  const night = async (user: string) => {
    const path = `/api/v1/users/${user}/summaries/sleep?start_date=2026-03-10&end_date=2026-03-11`;
    const { data } = await fixture.read<{ data: { avg_heart_rate_bpm: number | null }[] }>(path);
    return data[0]?.avg_heart_rate_bpm;
  };

  it('leave out a part whose stages are deleted', async () => {
    const user = await fixture.createUser();
    const part = (id: string, start: string, end: string) => ({ ...stage(id, 'light', start, end), parentId: id });
    await push(user, {
      records: [rate('00:30', 90), rate('06:00', 50)],
      sleep: [
        part('p-1', '2026-03-09T22:00:00Z', '2026-03-10T01:00:00Z'),
        part('p-2', '2026-03-10T05:00:00Z', '2026-03-10T07:00:00Z'),
      ],
    });
    expect(await night(user)).toBe(70);
    await push(user, { deleted: [{ id: 'p-1' }] });
    expect(await night(user)).toBe(50);
  });

  it("are deleted with one of the night's stages", async () => {
    const user = await fixture.createUser();
    await push(user, { records: [rate('00:30', 90), rate('02:00', 50)], sleep: NIGHT });
    await archive();
    expect(await archived(user)).toEqual([{ bpm: 70 }]);
    expect(await night(user)).toBe(70);
    // An edit keeps the measurements.
    await push(user, { deleted: [{ id: 'n-0' }], sleep: [NIGHT[0] as object] });
    expect(await archived(user)).toEqual([{ bpm: 70 }]);
    await push(user, { deleted: [{ id: 'n-0' }] });
    expect(await archived(user)).toEqual([]);
    expect(await night(user)).toBeNull();
  });

  it('are deleted with a stage of a nap that counts as night', async () => {
    const user = await fixture.createUser();
    const byDay = (id: string, end: string) => ({
      ...stage(id, 'light', '2026-03-10T13:00:00Z', end),
      parentId: id,
    });
    const other = { deviceName: 'Galaxy Ring', deviceModel: 'SM-Q501', deviceType: 'ring' };
    await push(user, {
      records: [rate('02:00', 50), rate('13:30', 90)],
      sleep: [
        ...NIGHT,
        byDay('nap', '2026-03-10T15:30:00Z'),
        // This sleep is longer than three hours, so it is not a nap. Its shorter copy above is not a nap either.
        { ...byDay('copy', '2026-03-10T16:30:00Z'), source: other },
      ],
    });
    expect(await night(user)).toBe(70);
    await archive();
    expect(await archived(user)).toEqual([{ bpm: 70 }]);
    expect(await night(user)).toBe(70);
    await push(user, { deleted: [{ id: 'nap' }] });
    expect(await archived(user)).toEqual([]);
  });
});

describe('a nap on the day of a deleted night', () => {
  const nap = { ...stage('nap', 'light', '2026-03-10T13:00:00Z', '2026-03-10T13:40:00Z'), parentId: 'nap-1' };
  const isNap = (user: string) =>
    fixture.rows<{ is_nap: boolean }>(
      'select is_nap from sleep_session join health_user u using (user_key) where u.id = $1 order by start_at',
      [user],
    );

  it.each([
    ['ids', [{ id: 'n-0' }, { id: 'n-1' }]],
    ['a range', [{ type: 'sleep', start: '2026-03-09T21:00:00Z', end: '2026-03-10T06:00:00Z', source: WATCH }]],
  ])('remains a nap after a deletion by %s', async (_, deleted) => {
    const user = await fixture.createUser();
    await push(user, { sleep: [...NIGHT, nap] });
    expect(await isNap(user)).toEqual([{ is_nap: false }, { is_nap: true }]);
    await push(user, { deleted });
    expect(await isNap(user)).toEqual([{ is_nap: true }]);
    const more = { ...stage('more', 'light', '2026-03-10T13:40:00Z', '2026-03-10T13:50:00Z'), parentId: 'nap-1' };
    await push(user, { sleep: [more] });
    expect(await isNap(user)).toEqual([{ is_nap: true }]);
  });
});
