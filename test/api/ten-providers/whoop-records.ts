import { formatOffset, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import type { WhoopSimulator } from '@healthd/simulators';
import { iso, utc } from './days.js';
import { entriesOf } from './reported.js';
import { type PlacedSleep, sleepsOf } from './sleeps.js';
import { REPORTED_RUN } from './truth.js';
import { MEASURED } from './vitals.js';

type RecordInput = Parameters<WhoopSimulator['control']['put']>[1];

/** Returns WHOOP's records. The nap has the offset of its day. */
export function whoopRecords(): RecordInput {
  const { recovery, sleepScores, strain } = MEASURED.whoop;
  const sleeps = sleepsOf('whoop');
  const idOf = ({ id }: PlacedSleep) => `whoop-${id}`;
  const { start, seconds: length, meters, kcal, ascent, bpm } = REPORTED_RUN.whoop;
  const runMs = utc(1, start);
  return {
    cycles: entriesOf(strain).map(([day, value]) => ({
      id: 90 + day,
      start: iso(utc(day, '06:00')),
      end: iso(utc(day, '22:00')),
      timezone_offset: '+01:00',
      score: { strain: value, kilojoule: 9_000, average_heart_rate: 66, max_heart_rate: 170 },
    })),
    sleeps: sleeps.map((sleep) => ({
      id: idOf(sleep),
      cycle_id: 90 + sleep.reported.day,
      start: iso(sleep.startMs),
      end: iso(sleep.endMs),
      timezone_offset: formatOffset(sleep.offsetMinutes),
      nap: sleep.reported.nap === true,
      score: {
        stage_summary: {
          total_in_bed_time_milli: sleep.endMs - sleep.startMs,
          total_awake_time_milli: sleep.minutes.awake * MS_PER_MINUTE,
          total_light_sleep_time_milli: sleep.minutes.light * MS_PER_MINUTE,
          total_slow_wave_sleep_time_milli: sleep.minutes.deep * MS_PER_MINUTE,
          total_rem_sleep_time_milli: sleep.minutes.rem * MS_PER_MINUTE,
        },
        sleep_needed: {},
        ...(!sleep.reported.nap && { sleep_performance_percentage: sleepScores[sleep.reported.day] ?? 0 }),
      },
    })),
    recoveries: sleeps.flatMap((sleep) => {
      const found = sleep.reported.nap ? undefined : recovery[sleep.reported.day];
      if (!found) return [];
      const score = {
        user_calibrating: false,
        recovery_score: found.score,
        resting_heart_rate: found.resting,
        hrv_rmssd_milli: found.rmssd,
        spo2_percentage: found.oxygen,
      };
      return [{ sleep_id: idOf(sleep), cycle_id: 90 + sleep.reported.day, score }];
    }),
    workouts: [
      {
        id: 'whoop-run',
        start: iso(runMs),
        end: iso(runMs + length * MS_PER_SECOND),
        timezone_offset: '+01:00',
        sport_name: 'running',
        score: {
          strain: 8.5,
          average_heart_rate: bpm,
          max_heart_rate: 171,
          kilojoule: kcal * 4.184,
          percent_recorded: 100,
          distance_meter: meters,
          altitude_gain_meter: ascent,
          zone_durations: {},
        },
      },
    ],
  };
}
