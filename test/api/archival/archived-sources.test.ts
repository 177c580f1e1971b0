import { archiveOldData } from '@healthd/daemon/retention';
import { batchOf, type HealthRecord, MS_PER_MINUTE, type SourceIdentity } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordWriter } from '../../support/recorded-user.js';
import { GARMIN, PHONE, samplesEvery, WATCH } from '../../support/records.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Returns seven hours of sleep with a heart rate. */
const night = (source: SourceIdentity, bpm: number): HealthRecord[] => [
  {
    kind: 'sleep_session',
    source,
    startMs: Date.parse('2026-03-09T22:00:00Z'),
    endMs: Date.parse('2026-03-10T05:00:00Z'),
    offsetMinutes: 0,
    isNap: false,
  },
  ...samplesEvery('heart_rate', '2026-03-10T01:00:00Z', 10, Array<number>(6).fill(bpm), { source, offsetMinutes: 0 }),
];

async function newUser() {
  const { id } = (await service.call('POST', '/api/v1/users')).body;
  const { userKey } = (await service.users.find(id))!;
  const path = `/api/v1/users/${id}/summaries`;
  return {
    write: (records: HealthRecord[]) => recordWriter(service).write(userKey, batchOf(records)),
    sleep: async () =>
      (await service.call('GET', `${path}/sleep?start_date=2026-03-10&end_date=2026-03-11`)).body.data[0],
    explain: async () => (await service.call('GET', `${path}/sleep/explain?date=2026-03-10`)).body,
    forget: (provider: string) => service.call('DELETE', `/api/v1/users/${id}/connections/${provider}/data`),
  };
}

const archive = () =>
  archiveOldData({
    ...service.parts,
    settings: { archiveAfterDays: 1, deleteAfterDays: null },
    nowMs: Date.parse('2026-03-20T00:00:00Z'),
    log: { error: (fields: object) => expect(fields).toBeUndefined() },
  });

describe('a daytime sleep with a night of another source', () => {
  const sleepByDay: HealthRecord[] = [
    {
      kind: 'sleep_session',
      source: GARMIN,
      startMs: Date.parse('2026-03-10T12:00:00Z'),
      endMs: Date.parse('2026-03-10T14:00:00Z'),
      offsetMinutes: 0,
      isNap: false,
    },
    ...samplesEvery('heart_rate', '2026-03-10T12:30:00Z', 10, Array<number>(6).fill(55), {
      source: GARMIN,
      offsetMinutes: 0,
    }),
  ];

  it("remains a nap next to its source's short night", async () => {
    const { write, sleep } = await newUser();
    const phone = { source: PHONE, offsetMinutes: 0, isNap: false, kind: 'sleep_session' } as const;
    const [startMs, endMs] = [Date.parse('2026-03-10T01:00:00Z'), Date.parse('2026-03-10T04:20:00Z')];
    await write([
      ...sleepByDay,
      { ...phone, source: GARMIN, startMs, endMs: endMs - 30 * MS_PER_MINUTE },
      { ...phone, startMs, endMs },
    ]);
    const shown = { duration_minutes: 170, nap_duration_minutes: 120, source: { provider: 'garmin' } };
    expect(await sleep()).toMatchObject(shown);
    await archive();
    expect(await sleep()).toMatchObject(shown);
  });

  it('becomes a nap if no sample was archived', async () => {
    const { write, sleep } = await newUser();
    await write(sleepByDay);
    await write(night(WATCH, 60));
    expect(await sleep()).toMatchObject({ duration_minutes: 420, nap_duration_minutes: 120 });
  });

  it('counts as the sleep of its date after its samples are archived', async () => {
    const { write, sleep } = await newUser();
    await write(sleepByDay);
    await archive();
    await write(night(WATCH, 60));
    expect(await sleep()).toMatchObject({
      duration_minutes: 120,
      nap_count: 0,
      avg_heart_rate_bpm: 55,
      source: { provider: 'garmin' },
    });
  });
});

describe('a Garmin night whose Apple Watch copy arrives later', () => {
  it('changes to the watch if no sample was archived', async () => {
    const { write, sleep } = await newUser();
    await write(night(GARMIN, 55));
    await write(night(WATCH, 60));
    expect(await sleep()).toMatchObject({ source: { provider: 'apple' }, avg_heart_rate_bpm: 60 });
  });

  it('keeps its sources after its samples were archived', async () => {
    const { write, sleep, explain } = await newUser();
    await write(night(GARMIN, 55));
    await archive();
    await write(night(WATCH, 60));
    await archive();
    const shown = {
      avg_heart_rate_bpm: 55,
      source: { provider: 'garmin' },
      sources: { sleep: { provider: 'garmin' } },
    };
    expect(await sleep()).toMatchObject({ ...shown, sources: { heart_rate: { provider: 'garmin' } } });
    const { groups } = await explain();
    const lostBy = (name: string) =>
      groups
        .find(({ group }: { group: string }) => group === name)
        .candidates.map(({ lost_by: reason }: { lost_by: string | null }) => reason);
    expect(lostBy('sleep')).toEqual([null, 'archived']);
    // Garmin has the lead figure of the night, so Garmin also wins the heart rate.
    expect(lostBy('heart_rate')).toEqual([null, 'other_provider_leads']);
  });

  it('changes to the watch after the data of Garmin is deleted', async () => {
    const { write, sleep, forget } = await newUser();
    await write(night(GARMIN, 55));
    await archive();
    await write([...night(WATCH, 60), ...night(PHONE, 70)]);
    expect((await forget('garmin')).status).toBe(204);
    expect(await sleep()).toMatchObject({ source: { device: 'Watch6,2' }, avg_heart_rate_bpm: 60 });
  });
});
