import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '@healthd/daemon/platform/database';
import type pg from 'pg';
import { type DaemonProcess, startDaemon } from '../daemon-process.js';
import { median, quantile } from '../report.js';
import type { Scenario, ScenarioResult } from '../scenario.js';
import { pushBody } from './push-bodies.js';
import { type SentBatch, sendAtRate } from './senders.js';

const USERS = 50;
const RECORDS = 10;
const SECONDS = 15;
/** Each round first measures the users alone, then during an endless batch. */
const ROUNDS = 3;
/** More records than the service processes without a worker thread. */
const LOOPING_RECORDS = 600;
const LOOP = new URL('looping-thread.mjs', import.meta.url);

interface Phase {
  answersMs: number[];
  lagMs: number[];
}

/** Shows that the service stops an endless batch at its limit while other users' batches continue. */
export const loopingScenario: Scenario = {
  name: 'looping',
  help: `${USERS} phones that push ${RECORDS} records each second, alone and beside a batch that never ends`,
  run: measure,
};

async function measure(): Promise<ScenarioResult> {
  const daemon = await startDaemon({ env: { NODE_OPTIONS: `--import ${LOOP.href}` } });
  const pool = createPool({ url: daemon.databaseUrl, max: 2 });
  try {
    const users: string[] = [];
    for (let n = 0; n < USERS; n++) users.push((await daemon.post<{ id: string }>('/api/v1/users', {})).id);
    const looping = (await daemon.post<{ id: string }>('/api/v1/users', {})).id;
    let batch = 0;
    const bodies = () => Array.from({ length: SECONDS }, () => pushBody(batch++, RECORDS));
    await sendAtRate(daemon, users, bodies().slice(0, 3), USERS);
    const alone: Phase = { answersMs: [], lagMs: [] };
    const beside: Phase = { answersMs: [], lagMs: [] };
    let outcomes = 0;
    for (let round = 0; round < ROUNDS; round++) {
      process.stderr.write(`Round ${round + 1} of ${ROUNDS} …\n`);
      await addPhase(alone, pool, daemon, users, bodies());
      const endless = await daemon.post<{ batch_id: string }>(
        `/api/v1/sdk/users/${looping}/sync`,
        loopingPayload(round),
      );
      await sleep(1000);
      await addPhase(beside, pool, daemon, users, bodies());
      outcomes += Number(await failedAtItsLimit(pool, endless.batch_id));
    }
    return result(alone, beside, outcomes);
  } finally {
    await pool.end();
    await daemon.stop();
  }
}

async function addPhase(
  phase: Phase,
  pool: pg.Pool,
  daemon: DaemonProcess,
  users: readonly string[],
  bodies: readonly Buffer[],
): Promise<void> {
  const sent = await sendAtRate(daemon, users, bodies, users.length);
  phase.answersMs.push(...sent.map(({ answerMs }) => answerMs));
  phase.lagMs.push(...(await lagOf(pool, sent)));
}

/** Waits until all runs have ended. Returns the time from each batch's receipt to the end of its run. */
async function lagOf(pool: pg.Pool, sent: readonly SentBatch[]): Promise<number[]> {
  for (;;) {
    const { rows } = await pool.query<{ lag_ms: number; status: string }>(
      `select extract(epoch from ended_at - created_at)::float8 * 1000 as lag_ms, status from sync_run
        where run_id = any ($1) and ended_at is not null`,
      [sent.map(({ batchId }) => batchId)],
    );
    if (rows.length === sent.length) {
      if (rows.some(({ status }) => status !== 'success')) throw new Error('a batch of another user was not stored');
      return rows.map(({ lag_ms }) => lag_ms);
    }
    await sleep(50);
  }
}

async function failedAtItsLimit(pool: pg.Pool, batchId: string): Promise<boolean> {
  for (;;) {
    const { rows } = await pool.query<{ reason: string | null }>(
      `select metadata ->> 'reason' as reason from sync_run where run_id = $1 and ended_at is not null`,
      [batchId],
    );
    if (rows[0]) return rows[0].reason === 'decide_limit_exceeded';
    await sleep(200);
  }
}

/** Returns enough heart rates to require a worker thread. The first heart rate makes the thread loop. */
function loopingPayload(round: number) {
  const startMs = Date.UTC(2026, 1, 1 + round);
  const records = Array.from({ length: LOOPING_RECORDS }, (_, index) => {
    const at = new Date(startMs + index * 60_000).toISOString();
    return {
      id: `loop-${round}-${index}`,
      type: 'HKQuantityTypeIdentifierHeartRate',
      startDate: at,
      endDate: at,
      value: index === 0 ? 113.5 : 60,
      unit: 'count/min',
      source: { appId: 'com.apple.health', deviceName: 'Watch', deviceModel: 'Watch7,5' },
    };
  });
  return { provider: 'apple', sdkVersion: '1.0.0', syncTimestamp: '2026-03-01T00:00:00Z', data: { records } };
}

function result(alone: Phase, beside: Phase, outcomes: number): ScenarioResult {
  const row = (name: string, { answersMs, lagMs }: Phase) => [
    name,
    ...[median(answersMs), quantile(answersMs, 0.99), median(lagMs), quantile(lagMs, 0.99)].map((ms) => ms.toFixed(1)),
  ];
  const ratio = (of: keyof Phase) => quantile(beside[of], 0.99) / quantile(alone[of], 0.99);
  const figures = { answerP99Ratio: ratio('answersMs'), lagP99Ratio: ratio('lagMs'), endedAtLimit: outcomes };
  return {
    tables: [
      {
        title: `${USERS} users push ${RECORDS} records each second, ${ROUNDS} rounds of ${SECONDS} s`,
        rows: [
          ['', 'answer p50 ms', 'p99 ms', 'stored p50 ms', 'p99 ms'],
          row('alone', alone),
          row('beside an endless batch', beside),
        ],
      },
    ],
    verdicts: [
      verdict('looping, answer p99 beside ÷ alone', figures.answerP99Ratio, 'most', 2),
      verdict('looping, stored p99 beside ÷ alone', figures.lagP99Ratio, 'most', 2),
      verdict('looping, endless batches ended at the limit', outcomes, 'least', ROUNDS),
    ],
    figures,
  };
}

function verdict(what: string, figure: number, bound: 'least' | 'most', target: number) {
  return { what, figure, digits: 2, unit: '', bound, target };
}
