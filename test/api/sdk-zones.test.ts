import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { payload, reading, WATCH } from './push-payloads.js';

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());

/** Returns the offsets in minutes of a payload's stored samples, workouts and sleep stages, in order of time. */
async function storedOffsets(provider: string, data: Parameters<typeof payload>[1]): Promise<(number | null)[]> {
  const user = await fixture.createUser();
  await fixture.pushed(user, payload(provider, data));
  const rows = await fixture.rows<{ offset_minutes: number | null }>(
    `select offset_minutes from (
       select user_key, start_at, offset_minutes from sample
       union all select user_key, start_at, offset_minutes from workout
       union all select user_key, start_at, offset_minutes from sleep_stage) item
       join health_user using (user_key) where id = $1 order by start_at`,
    [user],
  );
  return rows.map(({ offset_minutes }) => offset_minutes);
}

const heartRate = (at: string, more: object) =>
  reading('HKQuantityTypeIdentifierHeartRate', at, 60, 'count/min', { source: WATCH, zoneOffset: null, ...more });
const inZone = (zone: unknown) => ({ metadata: { HKTimeZone: zone } });

describe('the offset of a pushed item', () => {
  it("is the item's own, else the zone's, else the date's", async () => {
    const offsets = await storedOffsets('apple', {
      records: [
        heartRate('2026-11-01T05:59:00Z', inZone('America/New_York')),
        heartRate('2026-11-01T06:00:00Z', inZone('America/New_York')),
        heartRate('2026-11-01T07:00:00Z', { zoneOffset: '+01:00', ...inZone('America/New_York') }),
        heartRate('2026-11-01T08:00:00Z', { zoneOffset: 'nowhere', ...inZone('America/New_York') }),
        heartRate('2026-11-01T11:00:00+02:00', inZone('Middle/Earth')),
        heartRate('2026-11-01T12:00:00+02:00', inZone('America/New_York')),
        heartRate('2026-11-01T13:00:00Z', inZone('Middle/Earth')),
        heartRate('2026-11-01T14:00:00Z', inZone(5)),
        heartRate('2026-11-01T15:00:00Z', { metadata: 'America/New_York' }),
        heartRate('2026-11-01T16:00:00Z', {}),
      ],
    });
    expect(offsets).toEqual([-240, -300, 60, -300, 120, -300, null, null, null, null]);
  });

  it('of a workout comes from the zone at its start', async () => {
    const user = await fixture.createUser();
    const run = {
      id: 'run',
      type: 'running',
      source: WATCH,
      zoneOffset: null,
      values: [],
      startDate: '2026-03-08T06:30:00Z',
      endDate: '2026-03-08T07:30:00Z',
      ...inZone('America/New_York'),
    };
    await fixture.pushed(user, payload('apple', { workouts: [run] }));
    const rows = await fixture.rows(
      `select offset_minutes, local_date::text, metadata->>'time_zone' as zone from workout
         join health_user u using (user_key) where u.id = $1`,
      [user],
    );
    expect(rows).toEqual([{ offset_minutes: -300, local_date: '2026-03-08', zone: 'America/New_York' }]);
  });

  it("comes only from zoneOffset for Android, not from Apple's metadata key", async () => {
    const steps = (at: string, zoneOffset: unknown) => reading('STEP_COUNT', at, 10, 'count', { zoneOffset });
    const records = [
      steps('2026-11-01T10:00:00Z', '-05:00'),
      steps('2026-11-01T11:00:00Z', 'Z'),
      steps('2026-11-01T12:00:00Z', null),
      reading('STEP_COUNT', '2026-11-01T13:00:00Z', 10, 'count', { zoneOffset: null, ...inZone('Asia/Tokyo') }),
    ];
    expect(await storedOffsets('google', { records })).toEqual([-300, 0, null, null]);
  });
});
