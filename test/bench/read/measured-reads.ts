import { createPool } from '@healthd/daemon/platform/database';
import { MS_PER_DAY } from '@healthd/model';
import type pg from 'pg';
import type { DaemonProcess } from '../daemon-process.js';
import { loadOf } from '../process-load.js';
import { quantile } from '../report.js';
import { ENDPOINTS, type Endpoint, type Subject } from './endpoints.js';
import { startRowCounter } from './rows-read.js';
import type { StoredUser, StoredUsers } from './stored-users.js';
import { openConnection, type TimedResponse, timedGet } from './timed-request.js';

const WARM_UP = 100;
const FLOOR_REQUESTS = 100;
const PROBES = 500;
/** Step of the golden ratio through the range of positions, so that consecutive requests are far apart in the data. */
const STRIDE = 0.618_033_988_749_895;

/** Times of many responses, in milliseconds. */
export interface Times {
  p50: number;
  p95: number;
  p99: number;
}

/** Times of one endpoint for the user with the most samples and for the other users. */
export interface MeasuredEndpoint {
  endpoint: Endpoint;
  large: Times;
  others: Times;
  firstByte: Times;
  answerBytes: number;
  rowsRead: number;
  floor: Times;
  requests: number;
}

export interface MeasuredReads {
  endpoints: MeasuredEndpoint[];
  /** Times of a route without database access. */
  probe: Times;
  daemonPeakMemoryMb?: number;
}

/** Sends every type of request sequentially, like a single client that waits for each response. */
export async function measureReads(daemon: DaemonProcess, stored: StoredUsers): Promise<MeasuredReads> {
  const pool = createPool({ url: daemon.databaseUrl, max: 1 });
  const agent = openConnection();
  try {
    const workouts = await workoutIds(pool);
    const subject = (user: StoredUser, position: number): Subject => ({
      userId: user.id,
      userKey: user.userKey,
      workoutId: workouts.get(user.userKey) ?? '',
      position,
      fromMs: (stored.lastDay - user.days + 1) * MS_PER_DAY,
      beforeMs: (stored.lastDay + 1) * MS_PER_DAY,
    });
    const get = (path: string) => timedGet(agent, daemon.url + path, daemon.headers);
    const ask = (endpoint: Endpoint, about: Subject) => get(`/api/v1/users/${about.userId}/${endpoint.path(about)}`);
    const probe = await repeated(PROBES, () => get('/health/live'));
    const endpoints: MeasuredEndpoint[] = [];
    for (const endpoint of ENDPOINTS) {
      process.stderr.write(`  ${endpoint.name}\n`);
      const large = await repeated(endpoint.requests, (n) => ask(endpoint, subject(stored.large, (n * STRIDE) % 1)));
      const others = await repeated(endpoint.requests, (n) =>
        ask(endpoint, subject(stored.others[n % stored.others.length] as StoredUser, (n * STRIDE) % 1)),
      );
      endpoints.push({
        endpoint,
        large: timesOf(large, 'totalMs'),
        others: timesOf(others, 'totalMs'),
        firstByte: timesOf(large, 'firstByteMs'),
        answerBytes: Math.round(large.reduce((sum, { bytes }) => sum + bytes, 0) / large.length),
        rowsRead: Number.NaN,
        floor: await floorOf(pool, endpoint, (n) => subject(stored.large, (n * STRIDE) % 1)),
        requests: endpoint.requests,
      });
    }
    const { peakMemoryMb } = loadOf(daemon.pid);
    const counter = await startRowCounter(daemon.databaseUrl, stored);
    try {
      const middle = subject(stored.large, 0.5);
      for (const measured of endpoints) {
        measured.rowsRead = await counter.rowsReadFor(middle.userId, measured.endpoint.path(middle));
      }
    } finally {
      await counter.stop();
    }
    return {
      endpoints,
      probe: timesOf(probe, 'totalMs'),
      ...(peakMemoryMb === undefined ? {} : { daemonPeakMemoryMb: peakMemoryMb }),
    };
  } finally {
    agent.destroy();
    await pool.end();
  }
}

async function repeated(times: number, send: (n: number) => Promise<TimedResponse>): Promise<TimedResponse[]> {
  for (let n = 0; n < WARM_UP; n++) await send(n);
  const responses: TimedResponse[] = [];
  for (let n = 0; n < times; n++) responses.push(await send(n));
  return responses;
}

/** Fetches the same rows by a prepared statement on one persistent connection. */
async function floorOf(pool: pg.Pool, endpoint: Endpoint, subject: (n: number) => Subject): Promise<Times> {
  const { name, text } = endpoint.floor;
  const times: number[] = [];
  for (let n = -WARM_UP; n < FLOOR_REQUESTS; n++) {
    const values = endpoint.floorValues(subject(Math.max(0, n)));
    const startedMs = performance.now();
    await pool.query({ name, text, values });
    if (n >= 0) times.push(performance.now() - startedMs);
  }
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), p99: quantile(times, 0.99) };
}

function timesOf(responses: readonly TimedResponse[], member: 'totalMs' | 'firstByteMs'): Times {
  const times = responses.map((response) => response[member]);
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), p99: quantile(times, 0.99) };
}

async function workoutIds(pool: pg.Pool): Promise<Map<number, string>> {
  const { rows } = await pool.query<{ user_key: number; id: string }>(
    'select distinct on (user_key) user_key, id from workout order by user_key, start_at desc',
  );
  return new Map(rows.map(({ user_key, id }) => [user_key, id]));
}
