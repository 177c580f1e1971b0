import type { OpenWearablesDatabase } from './database.js';
import { ANNA, BOB, CARLA, idOf } from './users.js';

const source = (name: string) => idOf('source', name);

/**
 * Adds sleep, workouts, a cycle and scores of the generated users. Some rows are corrected, incomplete or without an
 * owner.
 */
export async function addEvents(database: OpenWearablesDatabase): Promise<void> {
  await database.add('event_record', [...sleepRows(), ...workoutRows(), ...oddRows()]);
  await database.add('sleep_details', [
    {
      record_id: idOf('night 1'),
      sleep_total_duration_minutes: 421,
      sleep_time_in_bed_minutes: 462,
      sleep_efficiency_score: 91.2,
      sleep_deep_minutes: 88,
      sleep_rem_minutes: 96,
      sleep_light_minutes: 237,
      sleep_awake_minutes: 41,
      is_nap: false,
      sleep_stages: [
        { stage: 'light', start_time: '2025-03-28T21:41:00Z', end_time: '2025-03-28T22:08:00Z' },
        { stage: 'deep', start_time: '2025-03-28T22:08:00+00:00', end_time: '2025-03-28T22:52:00+00:00' },
        { stage: 'odd', start_time: 'no time', end_time: null },
      ],
    },
    { record_id: idOf('nap 1'), sleep_total_duration_minutes: 25, sleep_time_in_bed_minutes: 25, is_nap: true },
    { record_id: idOf('night 2, as it was'), sleep_total_duration_minutes: 300, sleep_time_in_bed_minutes: 320 },
    { record_id: idOf('night 2'), sleep_total_duration_minutes: 400, sleep_time_in_bed_minutes: 440, is_nap: null },
    { record_id: idOf('no such night'), sleep_total_duration_minutes: 1 },
  ]);
  await database.add('workout_details', [
    {
      record_id: idOf('run'),
      heart_rate_min: 101,
      heart_rate_max: 177,
      heart_rate_avg: 149.4,
      energy_burned: 734,
      distance: 10_420.7,
      steps_count: 9_800,
      max_speed: 4.1,
      average_speed: 2.6,
      average_cadence: 82,
      moving_time_seconds: 3_900,
      total_elevation_gain: 318,
      elev_high: 500,
      elev_low: 200,
      hr_zones: { zones: [{ zone: 1, seconds: 60, max_bpm: 120 }], max_hr: 190, threshold_hr: 170 },
    },
    { record_id: idOf('ride'), energy_burned: 0, distance: 0 },
  ]);
  await database.add('menstrual_cycle_details', [
    {
      record_id: idOf('cycle'),
      day_in_cycle: 3,
      cycle_length: 28,
      current_phase_type: 'MENSTRUAL',
      is_predicted_cycle: false,
    },
  ]);
  await database.add('health_score', scoreRows());
}

function event(id: string, sourceName: string, category: string, start: string, end: string, more: object = {}) {
  return {
    id: idOf(id),
    data_source_id: source(sourceName),
    category,
    source_name: sourceName.slice(0, 64),
    start_datetime: start,
    end_datetime: end,
    ...more,
  };
}

function sleepRows() {
  const zone = { zone_offset: '+01:00', type: 'sleep_session' };
  const corrected = { ...zone, external_id: 'oura-2' };
  return [
    event('night 1', 'annas ring', 'sleep', '2025-03-28T21:41:00Z', '2025-03-29T05:23:00Z', zone),
    event('nap 1', 'annas ring', 'sleep', '2025-03-29T12:05:00Z', '2025-03-29T12:30:00Z', zone),
    event('night 2, as it was', 'annas ring', 'sleep', '2025-03-30T21:30:00Z', '2025-03-31T03:00:00Z', corrected),
    event('night 2', 'annas ring', 'sleep', '2025-03-30T21:00:00Z', '2025-03-31T04:20:00Z', {
      ...corrected,
      zone_offset: '+02:00',
      created_at: '2025-03-31T06:00:00Z',
    }),
    event('night without details', 'bobs whoop', 'sleep', '2025-03-29T06:00:00Z', '2025-03-29T13:00:00Z', {
      duration_seconds: 24_000,
    }),
  ];
}

function workoutRows() {
  const zone = { zone_offset: '+01:00' };
  return [
    event('run', 'annas watch', 'workout', '2025-03-29T06:05:00Z', '2025-03-29T07:11:20Z', {
      ...zone,
      type: 'trail_running',
      duration_seconds: 3_950,
      external_id: 'w-1',
    }),
    // A row with the same id at another time is another workout.
    event('walk', 'annas watch', 'workout', '2025-03-29T17:00:00Z', '2025-03-29T17:30:00Z', {
      ...zone,
      type: 'walking',
      external_id: 'w-1',
    }),
    event('ride', 'bobs garmin', 'workout', '2025-03-29T16:00:00Z', '2025-03-29T17:00:00Z', { type: 'quidditch' }),
    event('row', 'bobs garmin', 'workout', '2025-03-30T16:00:00Z', '2025-03-30T17:00:00Z', { type: null }),
  ];
}

function oddRows() {
  return [
    event('cycle', 'bobs garmin', 'menstrual_cycle', '2025-03-20T00:00:00Z', '2025-04-17T00:00:00Z'),
    event('ends before it begins', 'bobs garmin', 'sleep', '2025-03-20T02:00:00Z', '2025-03-20T01:00:00Z'),
    event('of another kind', 'bobs garmin', 'dream', '2025-03-20T03:00:00Z', '2025-03-20T04:00:00Z'),
    event('of nobody', 'of nobody', 'sleep', '2025-03-20T03:00:00Z', '2025-03-20T04:00:00Z'),
  ];
}

function scoreRows() {
  const score = (id: string, user: string, provider: string, category: string, at: string, more: object) => {
    return { id: idOf('score', id), user_id: user, provider, category, recorded_at: at, ...more };
  };
  const recovery = {
    resting_heart_rate: { value: 51, qualifier: null },
    hrv_rmssd_milli: { value: 68.3, qualifier: null },
    spo2_percentage: { value: 96.1, qualifier: null },
  };
  return [
    score('r', BOB, 'whoop', 'recovery', '2025-03-29T13:20:00Z', {
      value: 74,
      data_source_id: source('bobs whoop'),
      components: recovery,
    }),
    score('s', ANNA, 'oura', 'readiness', '2025-03-29T00:00:00Z', { value: 82, data_source_id: null }),
    score('n', CARLA, 'garmin', 'stress', '2025-03-29T00:00:00Z', { value: null, qualifier: 'Calm' }),
    score('i', ANNA, 'internal', 'sleep', '2025-03-29T05:23:00Z', { value: 93, sleep_record_id: idOf('night 1') }),
  ];
}
