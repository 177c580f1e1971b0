import { MS_PER_DAY, MS_PER_MINUTE, type SeriesCode, seriesTypeIds } from '@healthd/model';
import { FLOORS, type FloorStatement } from './floors.js';

const SERIES: readonly SeriesCode[] = ['heart_rate', 'steps'];

/** User of a request, and the position of the request's range in the user's data. */
export interface Subject {
  userId: string;
  userKey: number;
  /** ID of one of the user's workouts. */
  workoutId: string;
  /** Start of the user's data. `beforeMs` is its end. */
  fromMs: number;
  beforeMs: number;
  /** Position of the range in the data, from 0 to 1. */
  position: number;
}

/** One type of request to measure. */
export interface Endpoint {
  name: string;
  path(subject: Subject): string;
  /** Statement that reads only the response's rows. */
  floor: FloorStatement;
  floorValues(subject: Subject): unknown[];
  requests: number;
  /** Target for the 95th percentile in milliseconds. */
  targetMs?: number;
  /** Target for the time to the first byte in milliseconds. */
  firstByteTargetMs?: number;
}

const REQUESTS = 200;
const LARGE_PAGE = 10_000;
const LARGE_PAGE_REQUESTS = 60;
const SUMMARY_TARGET_MS = 15;
const PAGE_TARGET_MS = 10;
const FIRST_BYTE_TARGET_MS = 50;

/** Returns a range of whole days within the data, shortened if the data has fewer days. */
function dayRange({ fromMs, beforeMs, position }: Subject, days: number) {
  const span = Math.min(days, Math.floor((beforeMs - fromMs) / MS_PER_DAY));
  const room = Math.floor((beforeMs - fromMs) / MS_PER_DAY) - span;
  const startMs = fromMs + Math.floor(room * position) * MS_PER_DAY;
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { start: day(startMs), end: day(startMs + span * MS_PER_DAY) };
}

function summary(name: string, days: number, limit: number, floor: FloorStatement, targetMs?: number): Endpoint {
  return {
    name: `${name}, ${days === 365 ? '1 year' : `${days} days`}${limit < days ? `, page of ${limit}` : ''}`,
    path: (subject) => {
      const { start, end } = dayRange(subject, days);
      return `summaries/${name}?start_date=${start}&end_date=${end}&limit=${limit}`;
    },
    floor,
    floorValues: (subject) => {
      const { start, end } = dayRange(subject, days);
      return [subject.userKey, start, end, limit];
    },
    requests: REQUESTS,
    ...(targetMs === undefined ? {} : { targetMs }),
  };
}

/** Returns an instant in the first nine tenths of the data, so that enough data for a page follows. */
function pageStart({ fromMs, beforeMs, position }: Subject): number {
  return fromMs + Math.floor(((beforeMs - fromMs) * 0.9 * position) / MS_PER_MINUTE) * MS_PER_MINUTE;
}

function seriesPath(subject: Subject, codes: readonly SeriesCode[], rest: string): string {
  const types = codes.map((code) => `types=${code}`).join('&');
  const [start, end] = [pageStart(subject), subject.beforeMs].map((ms) => new Date(ms).toISOString());
  return `timeseries?${types}&start_time=${start}&end_time=${end}&${rest}`;
}

function rawPage(limit: number): Endpoint {
  return {
    name: `time series, ${limit.toLocaleString('en-US')} raw samples`,
    path: (subject) => seriesPath(subject, SERIES, `limit=${limit}`),
    floor: FLOORS.rawPage,
    floorValues: (subject) => [
      subject.userKey,
      seriesTypeIds(SERIES),
      ...[pageStart(subject), subject.beforeMs].map((ms) => new Date(ms).toISOString()),
      limit,
    ],
    requests: limit === LARGE_PAGE ? LARGE_PAGE_REQUESTS : REQUESTS,
    ...(limit === LARGE_PAGE ? { firstByteTargetMs: FIRST_BYTE_TARGET_MS } : { targetMs: PAGE_TARGET_MS }),
  };
}

const BUCKET_PAGE = 100;
/** Each bucket has heart rates of one source and steps of two sources. */
const VALUES_PER_BUCKET = 3;

function bucketPage(resolution: string, seconds: number): Endpoint {
  const reachMs = Math.ceil(BUCKET_PAGE / VALUES_PER_BUCKET) * seconds * 1000;
  return {
    name: `time series, ${BUCKET_PAGE} buckets of ${resolution}`,
    path: (subject) => seriesPath(subject, SERIES, `limit=${BUCKET_PAGE}&resolution=${resolution}`),
    floor: FLOORS.buckets,
    floorValues: (subject) => [
      subject.userKey,
      seriesTypeIds(SERIES),
      ...[pageStart(subject), pageStart(subject) + reachMs].map((ms) => new Date(ms).toISOString()),
      `${seconds} seconds`,
    ],
    requests: REQUESTS,
    targetMs: PAGE_TARGET_MS,
  };
}

function simple(name: string, path: (subject: Subject) => string, floor: FloorStatement, targetMs?: number): Endpoint {
  const floorValues = ({ userKey }: Subject) => [userKey];
  return { name, path, floor, floorValues, requests: REQUESTS, ...(targetMs === undefined ? {} : { targetMs }) };
}

function eventRange(subject: Subject): string {
  const { start, end } = dayRange(subject, 90);
  return `start_date=${start}&end_date=${end}&limit=50`;
}

function event(name: string, path: string, floor: FloorStatement): Endpoint {
  return {
    name,
    path: (subject) => `${path}?${eventRange(subject)}`,
    floor,
    floorValues: (subject) => {
      const { start, end } = dayRange(subject, 90);
      return [subject.userKey, start, end, 50];
    },
    requests: REQUESTS,
  };
}

/** All measured requests, in the order of the report. */
export const ENDPOINTS: readonly Endpoint[] = [
  summary('activity', 90, 100, FLOORS.activity, SUMMARY_TARGET_MS),
  summary('activity', 365, 400, FLOORS.activity),
  summary('sleep', 90, 100, FLOORS.sleep, SUMMARY_TARGET_MS),
  summary('sleep', 365, 100, FLOORS.sleep),
  summary('recovery', 90, 100, FLOORS.recovery, SUMMARY_TARGET_MS),
  summary('recovery', 365, 100, FLOORS.recovery),
  simple('body', () => 'summaries/body', FLOORS.body, SUMMARY_TARGET_MS),
  simple('data summary, everything', () => 'summaries/data', FLOORS.data, SUMMARY_TARGET_MS),
  simple('data gaps, everything', () => 'summaries/data/gaps', FLOORS.gaps),
  rawPage(50),
  rawPage(100),
  rawPage(LARGE_PAGE),
  bucketPage('1min', 60),
  bucketPage('5min', 300),
  bucketPage('15min', 900),
  bucketPage('1hour', 3600),
  event('workouts, 90 days, page of 50', 'events/workouts', FLOORS.workouts),
  simple('one workout with its samples', ({ workoutId }) => `events/workouts/${workoutId}`, FLOORS.workout),
  event('sleep sessions, 90 days, page of 50', 'events/sleep', FLOORS.sessions),
  simple('health scores, page of 50', () => 'health-scores?limit=50', FLOORS.scores),
  simple('data sources', () => 'data-sources', FLOORS.sources),
];
