import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { payload, WATCH } from './push-payloads.js';

let fixture: PushFixture;
beforeAll(async () => {
  fixture = await openPushFixture();
});
afterAll(() => fixture.close());

const at = (time: string) => `2026-11-19T${time}Z`;

/** A swim with exercises, laps, a route and readings, as phones send it. */
const WORKOUT = {
  id: 'w-1',
  parentId: null,
  type: 'swimming',
  title: 'Lunch swim',
  notes: 'cold',
  source: WATCH,
  startDate: at('12:00:00'),
  endDate: at('12:30:00'),
  zoneOffset: '+01:00',
  metadata: null,
  values: [
    { type: 'distance', unit: 'm', value: 1000 },
    { type: 'activeEnergyBurned', unit: 'kcal', value: 310 },
  ],
  segments: [
    { type: 'butterfly', startDate: at('12:10:00'), endDate: at('12:12:00'), repetitions: 40 },
    { type: 'rest', startDate: at('12:12:00'), endDate: at('12:12:30'), repetitions: 0 },
  ],
  laps: [{ startDate: at('12:00:00'), endDate: at('12:00:45'), distanceM: 25 }],
  route: [
    { timestamp: at('12:00:00'), latitude: 52.2297, longitude: 21.0122, altitudeM: 100.5 },
    { timestamp: at('12:01:00'), latitude: 52.2298, longitude: 21.0125 },
  ],
  samples: [
    { timestamp: at('12:00:10'), type: 'heartRate', value: 118, unit: 'bpm' },
    { timestamp: at('12:00:20'), type: 'heartRate', value: 122, unit: 'bpm' },
    { timestamp: at('12:00:20'), type: 'speed', value: 0.9, unit: 'm/s' },
  ],
};

describe('a pushed workout', () => {
  it('contains its title, segments, laps, route and samples', async () => {
    const user = await fixture.createUser();
    expect((await fixture.pushed(user, payload('apple', { workouts: [WORKOUT] }))).status).toBe('success');
    const base = `/api/v1/users/${user}/events/workouts`;
    const list = await fixture.read<{ data: { id: string; name: string }[] }>(
      `${base}?start_date=2026-11-19&end_date=2026-11-20`,
    );
    expect(list.data).toMatchObject([{ name: 'Lunch swim' }]);
    const detail = await fixture.read<Record<string, unknown>>(`${base}/${list.data[0]?.id}`);
    const nothing = { label: null, repetitions: null, distance_meters: null };
    expect(detail).toMatchObject({
      name: 'Lunch swim',
      distance_meters: 1000,
      calories_kcal: 310,
      avg_heart_rate_bpm: 120,
      metadata: { notes: 'cold' },
      events: [
        { ...nothing, type: 'lap', start_time: at('12:00:00'), duration_seconds: 45, distance_meters: 25 },
        {
          ...nothing,
          type: 'segment',
          start_time: at('12:10:00'),
          duration_seconds: 120,
          label: 'butterfly',
          repetitions: 40,
        },
        { ...nothing, type: 'segment', start_time: at('12:12:00'), duration_seconds: 30, label: 'rest' },
      ],
    });
    expect(detail.samples).toEqual([
      series('heart_rate', 'bpm', ['12:00:10', 118], ['12:00:20', 122]),
      series('speed', 'm_per_s', ['12:00:20', 0.9]),
      series('elevation', 'meters', ['12:00:00', 100.5]),
      series('latitude', 'degrees', ['12:00:00', 52.2297], ['12:01:00', 52.2298]),
      series('longitude', 'degrees', ['12:00:00', 21.0122], ['12:01:00', 21.0125]),
    ]);
  });

  it('drops removed laps and segments when pushed again', async () => {
    const user = await fixture.createUser();
    await fixture.pushed(user, payload('apple', { workouts: [WORKOUT] }));
    const corrected = { ...WORKOUT, title: 'Morning swim', laps: [], segments: [] };
    await fixture.pushed(user, payload('apple', { workouts: [corrected] }));
    const base = `/api/v1/users/${user}/events/workouts`;
    const { data } = await fixture.read<{ data: { id: string }[] }>(
      `${base}?start_date=2026-11-19&end_date=2026-11-20`,
    );
    expect(data).toHaveLength(1);
    expect(await fixture.read(`${base}/${data[0]?.id}`)).toMatchObject({ name: 'Morning swim', events: [] });
  });
});

function series(type: string, unit: string, ...points: [time: string, value: number][]) {
  const samples = points.map(([time, value]) => ({ timestamp: at(time), value }));
  return { type, unit, samples, complete: true };
}
