import { describe, expect, it } from 'vitest';
import { joinSessions } from './night.js';
import type { NightSession } from './session-seconds.js';

function session(start: string, end: string, facts: Partial<NightSession> = {}): NightSession {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    start_at: new Date(start),
    end_at: new Date(end),
    offset_minutes: 0,
    is_nap: false,
    asleep_seconds: null,
    in_bed_seconds: null,
    awake_seconds: null,
    light_seconds: null,
    deep_seconds: null,
    rem_seconds: null,
    efficiency_percent: null,
    awakenings: null,
    archived_as: null,
    overlapped_stages: null,
    source_id: 1,
    wake_date: '2026-03-10',
    local_offset_minutes: facts.offset_minutes ?? 0,
    ...facts,
  };
}

const night = (facts?: Partial<NightSession>) => session('2026-03-09T22:00:00Z', '2026-03-10T06:00:00Z', facts);
const nap = session('2026-03-10T13:00:00Z', '2026-03-10T13:30:00Z', { is_nap: true });

const join = (sessions: readonly NightSession[]) =>
  joinSessions({
    main: sessions.filter((one) => !one.is_nap),
    naps: sessions.filter((one) => one.is_nap),
  });

describe('joining the sessions of one day', () => {
  it('returns net sleep, time in bed and efficiency', () => {
    const facts = { asleep_seconds: 420 * 60, in_bed_seconds: 480 * 60, efficiency_percent: 87.5 };
    expect(join([night(facts)])).toMatchObject({
      duration_minutes: 420,
      time_in_bed_minutes: 480,
      efficiency_percent: 87.5,
    });
  });

  it('counts a nap in addition to the night', () => {
    expect(join([night({ asleep_seconds: 480 * 60 }), nap])).toMatchObject({
      duration_minutes: 480,
      nap_count: 1,
      nap_duration_minutes: 30,
      total_duration_minutes: 510,
    });
  });

  it("shows the start time of a split night's longer part", () => {
    const parts = [
      session('2026-03-09T21:00:00Z', '2026-03-09T22:00:00Z'),
      session('2026-03-10T00:30:00Z', '2026-03-10T06:30:00Z', { offset_minutes: 60 }),
    ];
    const joined = join(parts);
    expect(joined).toMatchObject({ start_time: '2026-03-10T00:30:00Z', zone_offset: '+01:00', duration_minutes: 420 });
    expect(joined.sessions).toHaveLength(2);
  });

  it('weights efficiency by session length', () => {
    const joined = join([
      session('2026-03-09T22:00:00Z', '2026-03-09T22:30:00Z', { efficiency_percent: 27 }),
      session('2026-03-09T23:00:00Z', '2026-03-10T06:10:00Z', { efficiency_percent: 80 }),
    ]);
    expect(joined.efficiency_percent).toBeCloseTo(76.54, 2);
  });

  it('computes missing efficiency, at most 100 percent', () => {
    expect(join([night({ asleep_seconds: 21_600, in_bed_seconds: 28_800 })]).efficiency_percent).toBe(75);
    expect(join([night({ asleep_seconds: 28_800, in_bed_seconds: 27_000 })]).efficiency_percent).toBe(100);
  });

  it('returns zero minutes of night sleep for naps alone', () => {
    expect(join([nap])).toMatchObject({
      start_time: '2026-03-10T13:00:00Z',
      duration_minutes: 0,
      total_duration_minutes: 30,
    });
  });

  it('returns no nap duration for naps with only time in bed', () => {
    const lying = { ...nap, in_bed_seconds: 1_800 };
    const unknown = { nap_count: 1, nap_duration_minutes: null };
    expect(join([night({ asleep_seconds: 480 * 60 }), lying])).toMatchObject({
      ...unknown,
      total_duration_minutes: 480,
    });
    expect(join([lying])).toMatchObject({ ...unknown, duration_minutes: 0, total_duration_minutes: null });
  });

  it('returns no sleep for time in bed alone', () => {
    expect(join([night({ in_bed_seconds: 28_800 })])).toMatchObject({
      duration_minutes: null,
      total_duration_minutes: null,
      time_in_bed_minutes: 480,
      efficiency_percent: null,
    });
  });

  it('counts the longer of two versions of a night', () => {
    const seconds = { asleep_seconds: 300 * 60, in_bed_seconds: 360 * 60, deep_seconds: 60 * 60, awakenings: 2 };
    const shorter = session('2026-03-09T22:00:00Z', '2026-03-10T05:00:00Z', seconds);
    const longer = night({ ...seconds, asleep_seconds: 350 * 60, awakenings: 3 });
    for (const both of [
      [shorter, longer],
      [longer, shorter],
    ]) {
      const joined = join(both);
      expect(joined).toMatchObject({ duration_minutes: 350, time_in_bed_minutes: 360, interruptions_count: 3 });
      expect(joined.stages?.deep_minutes).toBe(60);
      expect(joined.sessions).toHaveLength(2);
    }
  });

  it('counts the part of a session outside a longer session', () => {
    const before = session('2026-03-09T20:00:00Z', '2026-03-10T00:00:00Z', { asleep_seconds: 200 * 60 });
    expect(join([night({ asleep_seconds: 400 * 60 }), before]).duration_minutes).toBe(500);
    expect(join([night(), session('2026-03-09T20:00:00Z', '2026-03-10T00:00:00Z')]).duration_minutes).toBe(600);
  });

  it.each([
    ['time in bed alone', { in_bed_seconds: 32_400 }],
    ['time in bed and 0 s asleep', { in_bed_seconds: 32_400, asleep_seconds: 0, efficiency_percent: 0 }],
    ['0 s asleep', { asleep_seconds: 0 }],
  ])('does not hide known sleep behind a longer session with %s', (_, facts) => {
    const poor = session('2026-03-09T22:00:00Z', '2026-03-10T07:00:00Z', facts);
    const seconds = { asleep_seconds: 420 * 60, in_bed_seconds: 450 * 60 };
    const known = session('2026-03-09T22:30:00Z', '2026-03-10T06:00:00Z', seconds);
    const joined = join([poor, known]);
    expect(joined).toMatchObject({
      duration_minutes: 420,
      time_in_bed_minutes: 'in_bed_seconds' in facts ? 540 : 450,
    });
    expect(joined.efficiency_percent).toBeCloseTo(93.33, 2);
    expect(join([poor, { ...known, in_bed_seconds: null }])).toMatchObject({
      duration_minutes: 420,
      time_in_bed_minutes: 'in_bed_seconds' in facts ? 540 : null,
    });
  });

  it('counts sleep between the stages of a longer session', () => {
    const stage = (start: string, end: string, name: 'light' | 'in_bed' = 'light') => ({
      stage: name,
      start_time: start,
      end_time: end,
    });
    const split = session('2026-03-09T22:00:00Z', '2026-03-10T07:00:00Z', {
      asleep_seconds: 240 * 60,
      in_bed_seconds: 240 * 60,
      overlapped_stages: [
        stage('2026-03-09T22:00:00Z', '2026-03-10T00:00:00Z'),
        stage('2026-03-10T05:00:00Z', '2026-03-10T07:00:00Z'),
      ],
    });
    const between = session('2026-03-10T01:00:00Z', '2026-03-10T04:00:00Z', {
      asleep_seconds: 180 * 60,
      in_bed_seconds: 180 * 60,
    });
    expect(join([split, between])).toMatchObject({ duration_minutes: 420, time_in_bed_minutes: 420 });
    const inBed = stage('2026-03-10T00:00:00Z', '2026-03-10T05:00:00Z', 'in_bed');
    const lying = {
      ...split,
      in_bed_seconds: 540 * 60,
      overlapped_stages: [...(split.overlapped_stages ?? []), inBed],
    };
    expect(join([lying, between])).toMatchObject({ duration_minutes: 420, time_in_bed_minutes: 540 });
    expect(join([{ ...lying, overlapped_stages: null }, between])).toMatchObject({ duration_minutes: 240 });
  });

  it('counts a nap inside a night as a nap without sleep', () => {
    const inside = session('2026-03-10T05:00:00Z', '2026-03-10T05:30:00Z', { is_nap: true });
    expect(join([inside, night()])).toMatchObject({
      duration_minutes: 480,
      nap_count: 1,
      nap_duration_minutes: 0,
      total_duration_minutes: 480,
    });
  });

  it('sums interruptions of main sessions', () => {
    const part = (hour: number, awakenings: number | null) =>
      session(`2026-03-10T0${hour}:00:00Z`, `2026-03-10T0${hour + 1}:00:00Z`, { awakenings });
    const parts = [part(0, 2), part(2, null), part(4, 1)];
    expect(join([...parts, { ...nap, awakenings: 5 }]).interruptions_count).toBe(3);
    expect(join([night()]).interruptions_count).toBeNull();
  });
});
