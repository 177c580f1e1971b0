import type { ProviderId } from '@healthd/model';
import type { Asked } from './hostile-vendor.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Midnight UTC some days ago. */
export const MIDNIGHT_MS = (Math.floor(Date.now() / DAY_MS) - 3) * DAY_MS;
const NIGHT_MS = MIDNIGHT_MS - 2 * HOUR_MS;
const DAY = new Date(MIDNIGHT_MS).toISOString().slice(0, 10);

type Item = Record<string, unknown>;

/** Valid colliding items in the format of one vendor's responses. */
export interface HostileResponse {
  vendor: ProviderId;
  name: string;
  part: '247' | 'workouts';
  /** Matches the requests that get this response. */
  path: RegExp;
  /** @param index position among the items, from 0 */
  item(index: number): unknown;
  /** Returns the response body with the items of a page. @param next token of the next page, if any */
  body(items: readonly unknown[], next: string | undefined): unknown;
  /** Largest number of items in the test's responses. */
  most: number;
  /** Items per page. Default: all items in one response. */
  pageSize?: number;
  /** Position of the requested page, from 0. */
  pageOf?(request: Asked): number;
  /** Response of another path, which the adapter requests before the items. */
  beside?: { path: RegExp; body: unknown };
}

const iso = (ms: number) => new Date(ms).toISOString();
const zoned = (ms: number) => iso(ms).replace('Z', '+00:00');

const TOKEN_PAGES = { pageOf: ({ query }: Asked) => Number(query.get('nextToken') ?? query.get('next_token') ?? 0) };
const whoop = (name: string, path: RegExp, item: (index: number) => Item): HostileResponse => ({
  vendor: 'whoop',
  most: 1_000,
  pageSize: 500,
  name,
  part: path.source.includes('workout') ? 'workouts' : '247',
  path,
  item,
  body: (records, next) => ({ records, next_token: next ?? null }),
  ...TOKEN_PAGES,
});
const whoopSleep = (index: number, startMs: number, endMs: number): Item => ({
  id: `sleep-${index}`,
  cycle_id: 1,
  start: iso(startMs),
  end: iso(endMs),
  timezone_offset: '+00:00',
  nap: false,
});
const oura = (name: string, collection: string, item: (index: number) => Item): HostileResponse => ({
  vendor: 'oura',
  most: collection === 'heartrate' ? 40_000 : 2_000,
  name,
  part: collection === 'workout' ? 'workouts' : '247',
  path: new RegExp(`/usercollection/${collection}$`),
  item,
  body: (data, next) => ({ data, next_token: next ?? null }),
  pageSize: 10_000,
  ...TOKEN_PAGES,
});
const ouraSleep = (index: number, startMs: number, endMs: number): Item => ({
  id: `sleep-${index}`,
  day: DAY,
  type: 'long_sleep',
  bedtime_start: zoned(startMs),
  bedtime_end: zoned(endMs),
  sleep_phase_5_min: '1234',
});
const strava = (name: string, item: (index: number) => Item): HostileResponse => ({
  vendor: 'strava',
  name,
  // The service requests each activity separately.
  most: 200,
  part: 'workouts',
  path: /\/athlete\/activities$/,
  item,
  body: (items) => items,
  pageSize: 200,
  pageOf: ({ query }) => Number(query.get('page')) - 1,
});
const activity = (id: number, startMs: number): Item => ({
  id,
  start_date: iso(startMs),
  elapsed_time: 600,
  sport_type: 'Run',
});
const suunto = (name: string, most: number, path: RegExp, item: (index: number) => Item): HostileResponse => ({
  vendor: 'suunto',
  most,
  name,
  part: path.source.includes('workouts') ? 'workouts' : '247',
  path,
  item,
  ...(path.source.includes('workouts')
    ? {
        body: (payload: readonly unknown[]) => ({ error: null, payload }),
        pageSize: 100,
        pageOf: ({ query }: Asked) => Math.floor(Number(query.get('offset') ?? 0) / 100),
      }
    : { body: (items: readonly unknown[]) => items }),
});
/** Returns a night in a watch's format. */
const suuntoNight = (id: number, atMs: number, seconds: number): Item => ({
  timestamp: zoned(atMs),
  entryData: { SleepId: id, BedtimeStart: zoned(atMs), Duration: seconds, DeepSleepDuration: seconds, HRMin: 50 },
});
const suuntoWorkout = (key: number, startMs: number): Item => ({
  workoutKey: `workout-${key}`,
  activityId: 1,
  startTime: startMs,
  totalTime: 600,
});
/** Returns a ten-minute record in a watch's format. */
const suuntoTen = (index: number, atMs: number): Item => ({
  timestamp: zoned(atMs),
  entryData: { HR: 40 + (index % 90), StepCount: index },
});
const ultrahuman = (
  name: string,
  most: number,
  item: (index: number) => unknown,
  metrics: (items: readonly unknown[]) => Item[],
): HostileResponse => ({
  vendor: 'ultrahuman',
  most,
  name,
  part: '247',
  path: new RegExp(`/user_data/metrics\\?date=${DAY}$`),
  item,
  body: (items) => ({ data: { metric_data: metrics(items), latest_time_zone: 'UTC' }, error: null, status: 200 }),
});
const polar = (
  name: string,
  most: number,
  path: RegExp,
  item: (index: number) => unknown,
  body: HostileResponse['body'],
  part: HostileResponse['part'] = '247',
): HostileResponse => ({
  vendor: 'polar',
  name,
  most,
  part,
  path,
  item,
  body,
});
const polarNight = (index: number): Item => ({
  date: DAY,
  sleep_start_time: iso(NIGHT_MS + index * SECOND_MS).replace('Z', '+01:00'),
  sleep_end_time: iso(NIGHT_MS + 8 * HOUR_MS).replace('Z', '+02:00'),
  light_sleep: 3_600,
});
const timeOfDay = (index: number) => iso(MIDNIGHT_MS + (index % 86_400) * SECOND_MS).slice(11, 19);
const inSeconds = (ms: number) => Math.floor(ms / SECOND_MS);

/** Responses to syncs. Their items share an instant, a night, a workout or an ID. */
export const HOSTILE_ANSWERS: readonly HostileResponse[] = [
  whoop('nested nights', /\/activity\/sleep$/, (index) =>
    whoopSleep(index, NIGHT_MS + index * 10, NIGHT_MS + 9 * HOUR_MS - index * 10),
  ),
  whoop('workouts of one instant', /\/activity\/workout$/, (index) => ({
    id: `workout-${index}`,
    start: iso(NIGHT_MS),
    end: iso(NIGHT_MS + HOUR_MS),
    timezone_offset: '+00:00',
  })),
  oura('nights of one day', 'sleep', (index) => ouraSleep(index, NIGHT_MS + index * 10, NIGHT_MS + 8 * HOUR_MS)),
  oura('versions of one night', 'sleep', (index) => ouraSleep(0, NIGHT_MS, NIGHT_MS + 8 * HOUR_MS + index * 10)),
  oura('readings of one instant', 'heartrate', (index) => ({ timestamp: zoned(NIGHT_MS), bpm: 40 + (index % 90) })),
  oura('workouts of one instant', 'workout', (index) => ({
    id: `workout-${index}`,
    day: DAY,
    activity: 'running',
    start_datetime: zoned(NIGHT_MS),
    end_datetime: zoned(NIGHT_MS + HOUR_MS),
  })),
  strava('activities of one instant', (index) => activity(index + 1, NIGHT_MS)),
  suunto('nights of one instant', 10_000, /\/247samples\/sleep$/, (index) =>
    suuntoNight(index + 1, NIGHT_MS, 8 * 3_600),
  ),
  suunto('nested nights', 200, /\/247samples\/sleep$/, (index) =>
    suuntoNight(index + 1, NIGHT_MS + index * 100, 30_000 - index / 10),
  ),
  suunto('readings of one instant', 10_000, /\/247samples\/activity$/, (index) => suuntoTen(index, NIGHT_MS)),
  suunto('workouts of one instant', 790, /\/v3\/workouts\/$/, (index) => suuntoWorkout(index, NIGHT_MS)),
  ultrahuman(
    'readings of one instant',
    9_000,
    (index) => ({ timestamp: inSeconds(NIGHT_MS), value: 40 + (index % 90) }),
    (values) => [{ type: 'hr', object: { values } }],
  ),
  ultrahuman(
    'stages of one night',
    5_000,
    (index) => ({
      start: inSeconds(NIGHT_MS) + (index % 20_000),
      end: inSeconds(NIGHT_MS) + 20_000 + (index % 9_000),
      type: ['light', 'deep', 'rem', 'awake'][index % 4],
    }),
    (data) => [
      {
        type: 'sleep',
        object: {
          bedtime_start: inSeconds(NIGHT_MS),
          bedtime_end: inSeconds(NIGHT_MS) + 30_000,
          sleep_graph: { data },
        },
      },
    ],
  ),
  polar('versions of one night', 1_000, /\/users\/sleep$/, polarNight, (nights) => ({ nights })),
  {
    ...polar(
      'start and end times of one night',
      100,
      /\/users\/sleep\/available$/,
      (index) => ({
        date: `${DAY} ${index}`,
        start_time: iso(NIGHT_MS + index).replace('Z', '+01:00'),
        end_time: iso(NIGHT_MS + HOUR_MS).replace('Z', '+01:00'),
      }),
      (available) => ({ available }),
    ),
    beside: {
      path: /\/users\/continuous-heart-rate/,
      body: {
        heart_rates: [
          {
            date: DAY,
            heart_rate_samples: Array.from({ length: 10_000 }, (_, index) => ({
              sample_time: timeOfDay(index),
              heart_rate: 60,
            })),
          },
        ],
      },
    },
  },
  polar(
    'readings of one day',
    90_000,
    /\/users\/continuous-heart-rate/,
    (index) => ({ sample_time: timeOfDay(index), heart_rate: 40 + (index % 90) }),
    (heart_rate_samples) => ({ heart_rates: [{ date: DAY, heart_rate_samples }] }),
  ),
  polar(
    'temperatures of one instant',
    90_000,
    /\/users\/biosensing\/bodytemperature/,
    (index) => ({ recording_time_delta_milliseconds: 0, temperature_celsius: 30 + (index % 90) / 10 }),
    (temperatures) => [
      {
        source_device_id: 'one',
        measurement_type: 'TM_SKIN_TEMPERATURE',
        start_time: iso(NIGHT_MS),
        samples: temperatures,
      },
    ],
  ),
  polar(
    'exercises of one instant',
    500,
    /\/exercises$/,
    (index) => ({
      id: `exercise${index}`,
      start_time: iso(NIGHT_MS).slice(0, 19),
      start_time_utc_offset: 0,
      duration: 'PT10M',
      sport: 'RUNNING',
    }),
    (items) => items,
    'workouts',
  ),
];

/** Responds with one Strava activity. Each of its streams contains this many readings. */
export function stravaStreams(count: number): (request: Asked) => string | undefined {
  const ride = { ...activity(1, NIGHT_MS), elapsed_time: 200_000 };
  const seconds = Array.from({ length: count }, (_, index) => index);
  const rates = seconds.map((second) => 60 + (second % 90));
  const streams = JSON.stringify({ time: { data: seconds }, heartrate: { data: rates }, cadence: { data: rates } });
  const list = JSON.stringify([ride]);
  return ({ path, query }) => {
    if (path.endsWith('/streams')) return streams;
    if (/\/activities\/1$/.test(path)) return JSON.stringify(ride);
    if (!path.endsWith('/athlete/activities')) return undefined;
    return query.get('page') === '1' ? list : '[]';
  };
}

/** Suunto webhooks with valid colliding items. */
export interface HostileDelivery {
  name: string;
  counts: readonly number[];
  messagesOf(count: number, username: string): object[];
}

/** Maximum number of items in one message, which must be smaller than 4 MB. */
const ITEMS_OF_MESSAGE = 10_000;

const samples = (
  name: string,
  kind: string,
  counts: readonly number[],
  item: (index: number) => Item,
): HostileDelivery => ({
  name,
  counts,
  messagesOf: (count, username) =>
    Array.from({ length: Math.ceil(count / ITEMS_OF_MESSAGE) }, (_, message) => ({
      type: `SUUNTO_247_${kind}_CREATED`,
      username,
      samples: Array.from({ length: Math.min(ITEMS_OF_MESSAGE, count - message * ITEMS_OF_MESSAGE) }, (_, index) =>
        item(message * ITEMS_OF_MESSAGE + index),
      ),
    })),
});
const workouts = (name: string, workout: (index: number) => Item): HostileDelivery => ({
  name,
  counts: [30, 300],
  messagesOf: (count, username) =>
    Array.from({ length: count }, (_, index) => ({ type: 'WORKOUT_CREATED', username, workout: workout(index) })),
});

export const HOSTILE_DELIVERIES: readonly HostileDelivery[] = [
  samples('nights of one instant', 'SLEEP', [1_000, 10_000], (index) => suuntoNight(index + 1, NIGHT_MS, 8 * 3_600)),
  samples('nested nights', 'SLEEP', [1_000, 10_000], (index) =>
    suuntoNight(index + 1, NIGHT_MS + index * 100, 30_000 - index / 10),
  ),
  samples('naps of two years', 'SLEEP', [1_000, 10_000], (index) =>
    suuntoNight(index + 1, NIGHT_MS - 2 * index * HOUR_MS, 3_600),
  ),
  samples('readings of one instant', 'ACTIVITY', [1_000, 10_000], (index) => suuntoTen(index, NIGHT_MS)),
  samples('readings of one instant in many deliveries', 'ACTIVITY', [10_000, 100_000], (index) =>
    suuntoTen(index, NIGHT_MS),
  ),
  workouts('versions of one workout', (index) => ({ ...suuntoWorkout(0, NIGHT_MS), totalDistance: index })),
  workouts('workouts of one instant', (index) => suuntoWorkout(index, NIGHT_MS)),
];

/** Responds with this many items, page by page. */
export function answerOf(
  { path, item, body, pageSize, pageOf, beside }: HostileResponse,
  count: number,
): (request: Asked) => string | undefined {
  const size = pageSize ?? count;
  const pages = Array.from({ length: Math.ceil(count / size) }, (_, page) => {
    const items = Array.from({ length: Math.min(size, count - page * size) }, (_, index) => item(page * size + index));
    return JSON.stringify(body(items, (page + 1) * size < count ? String(page + 1) : undefined));
  });
  const after = JSON.stringify(body([], undefined));
  return (request) => {
    const query = request.query.toString();
    if (beside?.path.test(request.path)) return JSON.stringify(beside.body);
    if (!path.test(request.path) && !path.test(`${request.path}?${query}`)) return undefined;
    return pages[pageOf?.(request) ?? 0] ?? after;
  };
}

/** Responds to every page request with a page that links to another page. */
export function endlessResponse(
  { path, item, body, pageOf }: HostileResponse,
  size: number,
): (request: Asked) => string | undefined {
  return (request) => {
    if (!path.test(request.path)) return undefined;
    const page = pageOf?.(request) ?? 0;
    const items = Array.from({ length: size }, (_, index) => item(page * size + index));
    return JSON.stringify(body(items, String(page + 1)));
  };
}
