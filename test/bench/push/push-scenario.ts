import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '@healthd/daemon/platform/database';
import { PushReader } from '@healthd/providers';
import type pg from 'pg';
import { type DaemonProcess, startDaemon } from '../daemon-process.js';
import { measureFloor } from '../import/floor.js';
import { median, quantile } from '../report.js';
import type { BenchOptions, Scenario, ScenarioResult } from '../scenario.js';
import { pushBody } from './push-bodies.js';
import { type SentBatch, sendWithoutPause, sendAtRate } from './senders.js';

const RECORDS = 2000;
const SENDERS = 50;
/** Number of batches per sender in the burst, and at the steady rate. */
const BURST = 3;
const STEADY = 4;
/** Steady rate as a share of the rate that the burst achieved. */
const STEADY_SHARE = 0.5;

interface Phase {
  batches: number;
  answersMs: number[];
  acceptedPerSecond: number;
  recordsPerSecond: number;
  lagMs: number[];
}

export const pushScenario: Scenario = {
  name: 'push',
  help: `batches of ${RECORDS} records from ${SENDERS} phones at once, from the first byte to the last row and roll-up`,
  async run(options) {
    return measure(options);
  },
};

async function measure({ profileDir }: BenchOptions): Promise<ScenarioResult> {
  process.stderr.write('Preparing payloads …\n');
  const bodies = Array.from({ length: BURST + STEADY }, (_, batch) => pushBody(batch, RECORDS));
  const daemon = await startDaemon(profileDir === undefined ? {} : { profileDir });
  const pool = createPool({ url: daemon.databaseUrl, max: 2 });
  try {
    const users: string[] = [];
    for (let n = 0; n < SENDERS; n++) users.push((await daemon.post<{ id: string }>('/api/v1/users', {})).id);
    await sendWithoutPause(daemon, users.slice(0, 2), [pushBody(1000, 50)]);
    await drained(pool);
    process.stderr.write(`${SENDERS} senders, as fast as they are answered …\n`);
    const burst = await phase(pool, () => sendWithoutPause(daemon, users, bodies.slice(0, BURST)));
    const rate = (burst.recordsPerSecond / RECORDS) * STEADY_SHARE;
    process.stderr.write(`${SENDERS} senders, ${rate.toFixed(1)} batches a second …\n`);
    const steady = await phase(pool, () => sendAtRate(daemon, users, bodies.slice(BURST), rate));
    process.stderr.write('Measuring the floor …\n');
    const floor = await measureFloors(daemon, pool, bodies);
    return result(burst, steady, floor, bodies[0]?.length ?? 0);
  } finally {
    await pool.end();
    await daemon.stop();
  }
}

async function phase(pool: pg.Pool, send: () => Promise<SentBatch[]>): Promise<Phase> {
  const startedMs = performance.now();
  const sent = await send();
  const acceptedSeconds = (performance.now() - startedMs) / 1000;
  await drained(pool);
  const seconds = (performance.now() - startedMs) / 1000;
  const { rows } = await pool.query<{ lag_ms: number; status: string }>(
    `select extract(epoch from ended_at - created_at)::float8 * 1000 as lag_ms, status from sync_run
      where run_id = any ($1)`,
    [sent.map(({ batchId }) => batchId)],
  );
  if (rows.length !== sent.length || rows.some(({ status }) => status !== 'success')) {
    throw new Error('a batch was not stored whole');
  }
  return {
    batches: sent.length,
    answersMs: sent.map(({ answerMs }) => answerMs),
    acceptedPerSecond: sent.length / acceptedSeconds,
    recordsPerSecond: (sent.length * RECORDS) / seconds,
    lagMs: rows.map(({ lag_ms }) => lag_ms),
  };
}

async function drained(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ n: number }>(
      "select count(*)::int as n from device_batch where state = 'received'",
    );
    if (rows[0]?.n === 0) return;
    await sleep(25);
  }
}

/** Measures lower bounds for the same bodies: one parse, and the database time for the rows, on one connection. */
async function measureFloors(daemon: DaemonProcess, pool: pg.Pool, bodies: readonly Buffer[]) {
  const startedMs = performance.now();
  for (const body of bodies) JSON.parse(body.toString());
  const parsePerSecond = (bodies.length * RECORDS) / ((performance.now() - startedMs) / 1000);
  const reader = new PushReader();
  const batches = [];
  const receivedAtMs = Date.now();
  for (const body of bodies) {
    const reading = await reader.read({
      body,
      encoding: 'identity',
      provider: 'apple',
      maxBytes: body.length,
      receivedAtMs,
    });
    if (!('batch' in reading)) throw new Error('a payload cannot be read');
    const { samples: columns } = reading.batch;
    batches.push({ columns, sourceId: columns.sourceIndex.map((index) => index + 1) });
  }
  reader.close();
  await pool.query('checkpoint');
  const samples = bodies.length * RECORDS;
  const { copyAndUpsertSeconds } = await measureFloor(daemon.databaseUrl, { batches, samples } as never);
  return { parsePerSecond, upsertPerSecond: samples / copyAndUpsertSeconds };
}

function result(
  burst: Phase,
  steady: Phase,
  floor: { parsePerSecond: number; upsertPerSecond: number },
  bodyBytes: number,
): ScenarioResult {
  const row = (name: string, { batches, answersMs, acceptedPerSecond, recordsPerSecond, lagMs }: Phase) => [
    name,
    String(batches),
    acceptedPerSecond.toFixed(1),
    ...[median(answersMs), quantile(answersMs, 0.99), recordsPerSecond].map((figure) => figure.toFixed(0)),
    ...[median(lagMs), quantile(lagMs, 0.99)].map((figure) => figure.toFixed(0)),
  ];
  const columns = ['batches', 'accepted/s', 'answer p50 ms', 'p99 ms', 'records/s', 'lag p50 ms', 'p99 ms'];
  const perSecond = (figure: number) => `${Math.round(figure).toLocaleString('en-US')}/s`;
  return {
    tables: [
      {
        title: `Device push: ${SENDERS} senders, ${RECORDS} records a batch (${Math.round(bodyBytes / 1000)} kB)`,
        rows: [['', ...columns], row('as fast as answered', burst), row('steady', steady)],
      },
      {
        title: 'Floor of the same run, records of the same bodies',
        rows: [
          ['', 'records', 'push reaches'],
          ['JSON.parse alone', perSecond(floor.parsePerSecond), share(burst, floor.parsePerSecond)],
          ['COPY and upsert alone', perSecond(floor.upsertPerSecond), share(burst, floor.upsertPerSecond)],
        ],
      },
    ],
    verdicts: [
      verdict('push, records stored', burst.recordsPerSecond, '/s', 'least', 60_000),
      verdict('push, answer p99 at the steady rate', quantile(steady.answersMs, 0.99), ' ms', 'most', 50),
    ],
    figures: { burst: summary(burst), steady: summary(steady), floor },
  };
}

function verdict(what: string, figure: number, unit: string, bound: 'least' | 'most', target: number) {
  return { what, figure, digits: 0, unit, bound, target };
}

function share({ recordsPerSecond }: Phase, floor: number): string {
  return (recordsPerSecond / floor).toFixed(2);
}

function summary({ answersMs, lagMs, ...phase }: Phase) {
  return {
    ...phase,
    answerMs: { p50: median(answersMs), p99: quantile(answersMs, 0.99) },
    lagMs: { p50: median(lagMs), p99: quantile(lagMs, 0.99) },
  };
}
