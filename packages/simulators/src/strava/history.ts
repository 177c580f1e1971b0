import { formatOffset, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { Calendar, type LocalDay } from '../calendar.js';
import { Random } from '../random.js';
import type { StravaForms } from './forms.js';
import type { StravaActivity, StravaInput, StravaStreams } from './wire-types.js';

/** Amount of generated data. */
export interface StravaHistoryOptions {
  /** Default 1. */
  seed?: number;
  /** Local days including the current one. Default 30. */
  days?: number;
}

/** An activity type with its usual speed in m/s. */
const SPORTS = [
  { sport: 'Run', speed: 3.1, cadence: 84 },
  { sport: 'TrailRun', speed: 2.4, cadence: 80 },
  { sport: 'Ride', speed: 7.4, cadence: 82 },
  { sport: 'VirtualRide', speed: 8.2, cadence: 88 },
  { sport: 'Swim', speed: 0.9, cadence: 28 },
  { sport: 'WeightTraining', speed: 0, cadence: 0 },
  { sport: 'Hike', speed: 1.2, cadence: 55 },
] as const;
/** Seconds between readings, to keep activities small. */
const STREAM_SECONDS = 30;

/** Generates data until now. The same seed and end yield the same activities. */
export function madeUpLife(
  timeZone: string,
  nowMs: number,
  { seed = 1, days = 30 }: StravaHistoryOptions,
  forms: StravaForms,
) {
  const calendar = new Calendar(timeZone);
  const today = calendar.dateOf(nowMs);
  const activities: StravaActivity[] = [];
  const streams: Record<number, StravaStreams> = {};
  for (let back = days - 1; back >= 0; back--) {
    const day = calendar.day(today, -back);
    const random = new Random(seed, day.number, 'activities');
    const count = random.chance(0.75) ? (random.chance(0.2) ? 2 : 1) : 0;
    for (let nth = 0; nth < count; nth++) {
      const made = madeUp({ calendar, day, random, id: idOf(seed, day, nth), hour: 7 + nth * 9 });
      if (Date.parse(made.activity.start_date) + made.activity.elapsed_time * MS_PER_SECOND > nowMs) continue;
      const { utc_offset: _, ...old } = made.activity;
      const isOld = forms.offset === 'wall_clock' && new Random(seed, day.number, nth, 'form').chance(0.5);
      activities.push(isOld ? old : made.activity);
      if (made.streams) streams[made.activity.id] = made.streams;
    }
  }
  return { activities, streams } satisfies StravaInput;
}

/** Ids exceed 32 bits, like the vendor's ids. */
function idOf(seed: number, { number }: LocalDay, nth: number): number {
  return 14_500_000_000 + seed * 1_000_000 + number * 10 + nth;
}

interface Lived {
  calendar: Calendar;
  day: LocalDay;
  random: Random;
  id: number;
  hour: number;
}

function madeUp({ calendar, day, random, id, hour }: Lived): { activity: StravaActivity; streams?: StravaStreams } {
  const { sport, speed, cadence } = SPORTS[random.integer(0, SPORTS.length - 1)]!;
  // The vendor shows activities with a hidden start as starting one second after midnight.
  const isHidden = hour < 12 && random.chance(0.1);
  const startMs = isHidden
    ? day.startMs + MS_PER_SECOND
    : day.startMs + hour * MS_PER_HOUR + random.integer(0, 50) * MS_PER_MINUTE;
  const moving = random.integer(20, 90) * 60;
  const paused = random.chance(0.5) ? random.integer(0, 600) : 0;
  const offset = calendar.offsetAt(startMs) * 60;
  const isManual = random.chance(0.08);
  const isOutdoors = !isManual && sport !== 'VirtualRide';
  const isRide = sport === 'Ride' || sport === 'VirtualRide';
  const hasHeartRate = !isManual && sport !== 'Swim' && random.chance(0.85);
  const meters = Math.round(moving * speed * random.between(0.85, 1.15) * 10) / 10;
  const watts = random.integer(120, 230);
  const work = Math.round((watts * moving) / 100) / 10;
  const hasWork = random.chance(0.8);
  const activity: StravaActivity = {
    id,
    name: `${sport} ${day.date}`,
    // Early records have only the older name.
    ...(random.chance(0.95) && { sport_type: sport }),
    type: sport === 'TrailRun' ? 'Run' : sport,
    start_date: `${new Date(startMs).toISOString().slice(0, 19)}Z`,
    start_date_local: `${new Date(startMs + offset * MS_PER_SECOND).toISOString().slice(0, 19)}Z`,
    timezone: `(GMT${formatOffset(offset / 60)}) Made/Up`,
    utc_offset: offset,
    elapsed_time: moving + paused,
    moving_time: moving,
    distance: meters,
    average_speed: Math.round((meters / moving) * 1_000) / 1_000,
    max_speed: Math.round((meters / moving) * 1.6 * 1_000) / 1_000,
    total_elevation_gain: isManual || speed === 0 ? 0 : random.integer(0, 600),
    has_heartrate: hasHeartRate,
    visibility: random.chance(0.1) ? 'only_me' : 'everyone',
    manual: isManual,
    trainer: sport === 'VirtualRide',
    commute: false,
    start_latlng: isOutdoors ? [41.15, -8.61] : [],
    ...(speed > 0 && !isManual && { elev_high: random.integer(60, 400), elev_low: random.integer(0, 60) }),
    ...(hasHeartRate && { average_heartrate: random.integer(115, 150) + 0.3, max_heartrate: random.integer(155, 185) }),
    ...(cadence > 0 && !isManual && { average_cadence: cadence + random.integer(-4, 4) + 0.1 }),
    ...(isRide && !isManual
      ? {
          average_watts: watts,
          max_watts: watts * 3,
          device_watts: random.chance(0.6),
          // A failing meter reports a work of 0. Most rides also have calories, which differ from the work.
          kilojoules: hasWork ? work : 0,
          ...((!hasWork || random.chance(0.7)) && { calories: Math.round(work * random.between(0.95, 1.15)) }),
        }
      : { calories: Math.round((moving / 60) * random.between(6, 12)) }),
    ...(!isManual && { device_name: isRide ? 'Garmin Edge 840' : 'Garmin Forerunner 265' }),
    external_id: isManual ? null : `${id}.fit`,
  };
  return isManual
    ? { activity }
    : { activity, streams: madeUpStreams(random, activity, { cadence, isRide, isOutdoors }) };
}

/** Sensors that were not worn have no stream. */
function madeUpStreams(
  random: Random,
  { elapsed_time, average_speed, has_heartrate }: StravaActivity,
  { cadence, isRide, isOutdoors }: { cadence: number; isRide: boolean; isOutdoors: boolean },
): StravaStreams {
  const time = Array.from({ length: Math.floor(elapsed_time / STREAM_SECONDS) }, (_, n) => n * STREAM_SECONDS);
  const around = (middle: number, spread: number) =>
    time.map(() => Math.max(0, Math.round(random.bell(middle, spread) * 10) / 10));
  const speed = Number(average_speed);
  return {
    time,
    distance: time.map((seconds) => Math.round(seconds * speed)),
    ...(has_heartrate === true && { heartrate: around(140, 12).map(Math.round) }),
    ...(speed > 0 && { velocity_smooth: around(speed, speed / 5) }),
    ...(cadence > 0 && { cadence: around(cadence, 4).map(Math.round) }),
    ...(isRide && { watts: around(180, 40).map(Math.round) }),
    ...(isOutdoors && {
      altitude: time.map((_, n) => 60 + (n % 20)),
      temp: time.map(() => 17),
      latlng: time.map((_, n): [number, number] => [41.15 + n * 0.0001, -8.61]),
    }),
  };
}
