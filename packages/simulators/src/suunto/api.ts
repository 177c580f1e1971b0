import { formatOffset, MS_PER_DAY } from '@healthd/model';
import { workoutFileBytes } from '../fit/index.js';
import { type Answer, file, json } from '../response.js';
import type { Call } from '../vendor/index.js';
import type { SuuntoAccount } from './account.js';
import { rejectedResponse } from './rate-limit.js';
import type { SuuntoDay, SuuntoProduct, SuuntoSample } from './wire-types.js';

const WORKOUTS = '/v3/workouts/';
const FIT_PATH = /^\/v3\/workouts\/([^/]+)\/fit$/;
const SAMPLES = '/247samples/';
const STATISTICS = ['/247samples/daily-activity-statistics', '/247/daily-activity-statistics'];
const LONGEST_MS = 28 * MS_PER_DAY;
const DEFAULT_PAGE = 50;
/** An offset such as `+0300`, which the vendor rejects. */
const OFFSET_WITHOUT_COLON = /[+-]\d{4}$/;

/** Returns the portal product of a path. */
export function productOf(path: string): SuuntoProduct | undefined {
  if (path.startsWith(WORKOUTS)) return 'workouts';
  if (STATISTICS.includes(path)) return 'daily';
  const kind = path.replace(SAMPLES, '');
  return kind === 'sleep' || kind === 'activity' || kind === 'recovery' ? kind : undefined;
}

/** Handles a request for a user's data. */
export function handleApiRequest(account: SuuntoAccount, { path, query }: Call, nowMs: number): Answer {
  if (path === WORKOUTS) return listWorkouts(account, query);
  const key = FIT_PATH.exec(path)?.[1];
  if (key !== undefined) return fitFile(account, key);
  if (path.startsWith(WORKOUTS)) return oneWorkout(account, path.slice(WORKOUTS.length));
  if (STATISTICS.includes(path)) return statistics([...account.days.values()], query);
  const samples = samplesOf(account, path.replace(SAMPLES, ''));
  const listed = samples?.filter((sample) => (account.lateInLists.get(sample) ?? 0) <= nowMs);
  return listed ? inRange(listed, query) : rejectedResponse(404, 'Resource not found');
}

function samplesOf({ sleep, activity, recovery }: SuuntoAccount, kind: string): readonly SuuntoSample[] | undefined {
  if (kind === 'sleep') return sleep;
  if (kind === 'activity') return [...activity.values()];
  return kind === 'recovery' ? [...recovery.values()] : undefined;
}

/** Lists workouts, newest first. `since` is inclusive, `until` exclusive. */
function listWorkouts({ workouts }: SuuntoAccount, query: URLSearchParams): Answer {
  const byChange = query.get('filter-by-modification-time') !== 'false';
  const since = Number(query.get('since') ?? 0);
  const until = Number(query.get('until') ?? Number.POSITIVE_INFINITY);
  const offset = Number(query.get('offset') ?? 0);
  const limit = Number(query.get('limit') ?? DEFAULT_PAGE);
  const found = [...workouts.values()]
    .map(({ workout, changedMs }) => ({ workout, changedMs, at: byChange ? changedMs : workout.startTime }))
    .filter(({ at }) => at >= since && at < until)
    .sort((a, b) => b.at - a.at)
    .slice(offset, offset + limit);
  const payload = found.map(({ workout, changedMs }) => ({ workoutId: 0, lastModified: changedMs, ...workout }));
  return json(200, { error: null, payload, metadata: { workoutcount: String(payload.length) } });
}

/** An unknown key is not an error. */
function oneWorkout({ workouts }: SuuntoAccount, key: string): Answer {
  const found = workouts.get(key);
  const payload = found ? { workoutId: 0, ...found.workout, lastModified: found.changedMs } : null;
  return json(200, { error: null, payload, metadata: {} });
}

/** A manually entered workout has no file. */
function fitFile({ workouts, files }: SuuntoAccount, key: string): Answer {
  const [workout, recorded] = [workouts.get(key)?.workout, files.get(key)];
  return workout && recorded
    ? file(workoutFileBytes(workout.startTime, recorded))
    : rejectedResponse(404, 'Resource not found');
}

/** Both ends of the range are inclusive. */
function inRange(samples: readonly SuuntoSample[], query: URLSearchParams): Answer {
  const from = Number(query.get('from') ?? Number.NaN);
  const to = Number(query.get('to') ?? Number.NaN);
  if (!(to >= from) || to - from > LONGEST_MS) return rejectedResponse(400, 'The range may have 28 days at most');
  return json(
    200,
    samples.filter(({ timestamp }) => Date.parse(timestamp) >= from && Date.parse(timestamp) <= to),
  );
}

function statistics(days: readonly SuuntoDay[], query: URLSearchParams): Answer {
  const [start = '', end = ''] = [query.get('startdate') ?? '', query.get('enddate') ?? ''];
  const [from, to] = [start, end].map((text) => Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`));
  const isWrong = [start, end].some((text) => OFFSET_WITHOUT_COLON.test(text));
  if (isWrong || from === undefined || to === undefined || !(to >= from) || to - from > LONGEST_MS) {
    return rejectedResponse(400, 'Invalid dates');
  }
  const found = days.filter((day) => midnight(day) >= from && midnight(day) <= to);
  const devices = [...new Set(found.map(({ device }) => device))];
  const statistic = (name: string, valueIn: (day: SuuntoDay) => number | null) => ({
    Name: name,
    Aggregation: 'sum',
    Sources: devices.map((device) => ({
      Name: device,
      Samples: found
        .filter((day) => day.device === device)
        .map((day) => ({ TimeISO8601: `${day.date}T00:00:00${formatOffset(day.offsetMinutes)}`, Value: valueIn(day) })),
    })),
  });
  return json(200, [
    statistic('stepcount', ({ steps }) => steps),
    statistic('energyconsumption', ({ joules }) => joules),
  ]);
}

function midnight({ date, offsetMinutes }: SuuntoDay): number {
  return Date.parse(`${date}T00:00:00${formatOffset(offsetMinutes)}`);
}
