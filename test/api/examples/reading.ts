import { dayNumber, type HealthRecord, MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { livedDays } from '../../support/lived-days.js';
import { writeRecords } from '../../support/recorded-user.js';
import { GARMIN, PHONE, run, sample } from '../../support/records.js';
import type { Recorder } from './recorder.js';

const FIRST_DAY = '2026-03-09';
const days = { start_date: FIRST_DAY, end_date: '2026-03-11' };

/** Returns two simulated days with an evening run, a cycle, a score, and measurements from an hour ago. */
function madeUpLife(): HealthRecord[] {
  const recently = new Date(Date.now() - MS_PER_HOUR).toISOString();
  const startMs = Date.parse('2026-03-01T23:00:00Z');
  return [
    ...livedDays(dayNumber(FIRST_DAY) ?? 0, 2),
    run({ externalId: 'run 1', name: 'Evening run', heartRateAvg: 148, heartRateMax: 171, caloriesKcal: 640 }),
    ...track(),
    {
      kind: 'menstrual_cycle',
      source: GARMIN,
      offsetMinutes: 60,
      startMs,
      endMs: startMs + 28 * MS_PER_DAY,
      details: {
        current_phase: 2,
        current_phase_type: 'FOLLICULAR',
        day_in_cycle: 9,
        cycle_length: 28,
        period_length: 5,
      },
    },
    {
      kind: 'health_score',
      source: GARMIN,
      offsetMinutes: 60,
      category: 'sleep',
      value: 82,
      qualifier: 'good',
      atMs: Date.parse('2026-03-10T05:40:00Z'),
      components: { deep: { value: 71, qualifier: 'fair' } },
    },
    sample('weight', recently, 71.4, { source: PHONE }),
    sample('height', recently, 172, { source: PHONE }),
    sample('resting_heart_rate', recently, 54),
    sample('body_temperature', recently, 36.6),
    sample('blood_pressure_systolic', recently, 118),
    sample('blood_pressure_diastolic', recently, 76),
  ];
}

/** Returns the first positions of the evening run, on an invented course. */
function track(): HealthRecord[] {
  const course = [
    [52.5163, 13.3777, 34],
    [52.5166, 13.3791, 35],
    [52.5161, 13.3812, 36],
  ] as const;
  return course.flatMap(([latitude, longitude, elevation], minute) => {
    const at = `2026-03-10T17:0${minute}:00Z`;
    return [
      sample('latitude', at, latitude),
      sample('longitude', at, longitude),
      sample('elevation', at, elevation),
      sample('speed', at, 2.8),
    ];
  });
}

/** Records examples for reading a user's data. */
export async function recordReading(recorder: Recorder): Promise<void> {
  const { pool } = recorder.service;
  const { id: user_id } = await recorder.call('createUser', { body: { first_name: 'Joan' } });
  const { rows } = await pool.query('select user_key from health_user where id = $1', [user_id]);
  await writeRecords({ pool }, rows[0].user_key, madeUpLife());
  const path = { user_id };
  const of = (id: string, query: Record<string, string> = days) => recorder.call(id, { path, query });

  await of('getActivitySummary');
  await recorder.call('previewUserPriorities', {
    path,
    query: days,
    body: { device_types: [{ device_type: 'phone', priority: 1 }] },
  });
  await of('explainActivitySummary', { date: FIRST_DAY });
  await of('explainSleepSummary', { date: FIRST_DAY });
  await of('explainRecoverySummary', { date: FIRST_DAY });
  await of('explainBodySummary', {});
  await of('getBodySummary', {});
  await of('getSleepSummary');
  await of('getRecoverySummary');
  await of('getDataSummary');
  await of('getDataGaps');
  await of('listDataSources', {});
  await of('listHealthScores');
  await of('getTimeseries', { ...days, types: 'heart_rate', limit: '2' });
  await recorder.call('getSingleTimeseries', {
    path: { user_id, series_type: 'steps' },
    query: { ...days, limit: '2' },
  });
  await recorder.call('getCoverage');
  await recorder.call('getDashboardStats');
  await recorder.call('getServiceActivity', { query: { days: '2' } });
  await recordEvents(recorder, user_id);
}

async function recordEvents(recorder: Recorder, user_id: string): Promise<void> {
  const first = async (id: string, query: Record<string, string>) =>
    (await recorder.call(id, { path: { user_id }, query })).data[0].id;
  const workout_id = await first('listWorkouts', days);
  const sleep_id = await first('listSleepSessions', days);
  const cycle_id = await first('listMenstrualCycles', { start_date: '2026-03-01', end_date: '2026-03-31' });

  await recorder.call('getWorkout', { path: { user_id, workout_id } });
  await recorder.call('getWorkoutRoute', { path: { user_id, workout_id }, query: { simplify: '10' } });
  await recorder.call('getSleepSession', { path: { user_id, sleep_id } });
  for (const [event, id] of Object.entries({ Workout: workout_id, SleepSession: sleep_id, MenstrualCycle: cycle_id })) {
    const path = { user_id, workout_id: id, sleep_id: id, cycle_id: id };
    await recorder.call(`delete${event}`, { path });
    await recorder.call(`restore${event}`, { path });
  }
}
