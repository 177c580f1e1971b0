import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@healthd/daemon/platform/database';
import { startEmbeddedPostgres } from '@healthd/embedded-postgres';
import pg from 'pg';
import { quantile } from '../report.js';
import type { Scenario, ScenarioResult } from '../scenario.js';
import { type SimulatedFigures, simulateDay } from './simulated-day.js';
import { simulatedVendors } from './vendors.js';

const CONNECTIONS = 10_000;
/** Slots of two processes with the default JOB_CONCURRENCY. */
const PLACES = 6;
/** Target for a sync that a caller waits for. */
const MANUAL_P95_SECONDS = 30;

export const scheduleScenario: Scenario = {
  name: 'schedule',
  help: 'a day of 10,000 connections under a virtual clock: quotas, and how long a manual sync waits',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'healthd-bench-'));
    // As root, Postgres runs under a separate account, which must be able to enter the folder.
    await chmod(folder, 0o711);
    const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), durability: 'none' });
    const pool = new pg.Pool({ connectionString: server.url, max: 1 });
    // Ignores errors of idle connections, which the server closes when it stops.
    pool.on('error', () => undefined);
    try {
      await migrate(server.url);
      process.stderr.write(`Scheduling a day of ${CONNECTIONS.toLocaleString('en-US')} connections …\n`);
      const vendors = simulatedVendors(CONNECTIONS);
      return resultOf(await simulateDay({ pool, vendors, places: PLACES, random: repeatable(1) }));
    } finally {
      await pool.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function resultOf(all: SimulatedFigures[]): ScenarioResult {
  const p95 = (waits: number[]) => quantile(waits, 0.95);
  const manual = all.flatMap(({ waits }) => waits.manual);
  const header = ['vendor', 'connections', 'requests', 'a user and day', 'poll every', 'busiest minute', 'busiest day'];
  const rows = all.map(({ provider, connections, sent, pollHours, peaks }) => [
    provider,
    connections.toLocaleString('en-US'),
    sent.toLocaleString('en-US'),
    (sent / connections).toFixed(1),
    `${pollHours.toFixed(1)} h`,
    share(peaks, 60),
    share(peaks, 86_400),
  ]);
  const ends = all.map(({ provider, waits, waiting }) => [
    provider,
    ...(['manual', 'first_sync', 'webhook', 'live', 'backfill'] as const).map(
      (priority) => `${waits[priority].length} · ${p95(waits[priority]).toFixed(1)} s · ${waiting[priority]}`,
    ),
  ]);
  return {
    tables: [
      { title: 'Requests', rows: [header, ...rows] },
      {
        title: 'Runs done, p95 of their waiting, and runs that wait at the end of the day',
        rows: [['vendor', 'manual', 'first pull', 'webhook', 'polling', 'past'], ...ends],
      },
    ],
    verdicts: [
      ...all.flatMap(({ provider, peaks }) =>
        peaks.map(({ seconds, requests, limit }) => ({
          what: `${provider}: most requests in ${seconds} s`,
          figure: requests,
          digits: 0,
          unit: '',
          bound: 'most' as const,
          target: limit,
        })),
      ),
      {
        what: 'waiting time of a manual sync, p95',
        figure: p95(manual),
        digits: 1,
        unit: ' s',
        bound: 'most',
        target: MANUAL_P95_SECONDS,
      },
    ],
    figures: all.map(({ waits, ...rest }) => ({ ...rest, manual_p95_seconds: p95(waits.manual) })),
  };
}

function share(peaks: SimulatedFigures['peaks'], of: number): string {
  const peak = peaks.find(({ seconds }) => seconds === of);
  return peak ? `${peak.requests.toLocaleString('en-US')} of ${peak.limit.toLocaleString('en-US')}` : 'not limited';
}

/** Returns deterministic numbers in [0, 1) (a linear congruence). */
export function repeatable(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
