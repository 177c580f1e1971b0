import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Daemon, inDatabase, newHome, startDaemon } from './daemon.js';
import { databaseMs, mainThreadMs } from './main-thread-time.js';

/** Cost of some work in milliseconds of processor time, which a busy machine does not change. */
export interface Cost {
  /** Processor time of the service's main thread. */
  ms: number;
  ofDatabaseMs: number;
  /** Longest turn of the event loop, or 0 if no turn was long. */
  longestTurnMs: number;
}

/** Longest allowed turn of the event loop. A longer turn delays the requests of other users. */
const MOST_TURN_MS = 200;
/** Number of measurements. A machine is unlikely to pause this often during the same work. */
const ATTEMPTS = 3;

/** True if a turn of the event loop was too long. */
export const isLong = ({ longestTurnMs }: Cost): boolean => longestTurnMs > MOST_TURN_MS;

/**
 * Measures work up to three times if a turn is too long. Returns the cost with the shortest turn of each part. Linux
 * counts a virtual machine's pause as processor time of the running thread, and a full garbage collection may fall into
 * any turn. Neither happens three times in the same part, but a part that blocks the event loop always does.
 * @param measure returns the costs of the same parts each time, for a new user
 */
export async function withoutPauses<T extends Cost>(measure: () => Promise<T[]>): Promise<T[]> {
  let costs = await measure();
  for (let attempt = 1; attempt < ATTEMPTS && costs.some(isLong); attempt++) {
    const again = await measure();
    costs = costs.map((cost, at) => {
      const other = again[at] as T;
      return other.longestTurnMs < cost.longestTurnMs ? other : cost;
    });
  }
  return costs;
}

/** A service that reports the long turns of its event loop. */
export interface MeasuredDaemon extends Daemon {
  costOf(work: () => Promise<void>): Promise<Cost>;
}

const probe = new URL('./turn-probe.mjs', import.meta.url).href;

export async function startMeasuredDaemon(env: Record<string, string> = {}): Promise<MeasuredDaemon> {
  const home = newHome();
  const turns = join(home.folder, 'turns');
  writeFileSync(turns, '');
  const longTurns = () => readFileSync(turns, 'utf8').split('\n').filter(Boolean).map(Number);
  const daemon = await startDaemon({
    home,
    env: { ...env, NODE_OPTIONS: `--import ${probe}`, TURN_PROBE_FILE: turns },
  });
  const costOf = (work: () => Promise<void>) =>
    inDatabase(home, async (pool) => {
      const client = await pool.connect();
      try {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const databasePid = rows[0]?.pid ?? 0;
        const [before, databaseBefore] = [mainThreadMs(daemon.pid), databaseMs(databasePid)];
        const turnsBefore = longTurns().length;
        await work();
        return {
          ms: Math.round(mainThreadMs(daemon.pid) - before),
          ofDatabaseMs: databaseMs(databasePid) - databaseBefore,
          longestTurnMs: Math.max(0, ...longTurns().slice(turnsBefore)),
        };
      } finally {
        client.release();
      }
    });
  return { ...daemon, costOf };
}
