import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '@healthd/daemon/platform/database';
import type { Change } from '@healthd/schemas';
import pg from 'pg';
import { type DaemonProcess, startDaemon } from '../daemon-process.js';
import { exportFile, removeExportFiles } from '../import/export-file.js';
import { uploadExport } from '../import/upload.js';
import { pushBody } from '../push/push-bodies.js';
import { type SentBatch, sendAtRate } from '../push/senders.js';
import { median, quantile } from '../report.js';
import type { BenchOptions, Scenario, ScenarioResult } from '../scenario.js';

const USERS = 50;
/** Number of batches per user. Each batch contains one record. */
const BATCHES = 20;
const SECONDS = 60;
/** Maximum time until every change is read after the last push and import. */
const END_WITHIN_MS = 300_000;

/** An entry of a push, with the time of each stage in milliseconds since 1970. */
interface Told {
  storedMs: number;
  notifiedMs: number;
  receivedMs: number;
}

/**
 * Measures how soon a waiting reader gets the changes of small pushes while imports run. Checks that the reader gets
 * every change.
 */
export const feedScenario: Scenario = {
  name: 'feed',
  help: `changes of ${USERS * BATCHES} small pushes beside ${SECONDS} s of imports, from the commit to a waiting reader`,
  async run(options) {
    try {
      return await measure(options);
    } finally {
      if (!options.keep) await removeExportFiles();
    }
  },
};

async function measure({ exportBytes, profileDir }: BenchOptions): Promise<ScenarioResult> {
  const file = await exportFile(Math.min(...exportBytes));
  const daemon = await startDaemon(profileDir === undefined ? {} : { profileDir });
  const pool = createPool({ url: daemon.databaseUrl, max: 3 });
  const listener = new pg.Client({ connectionString: daemon.databaseUrl });
  const over = new AbortController();
  try {
    const users: string[] = [];
    for (let n = 0; n < USERS; n++) users.push((await daemon.post<{ id: string }>('/api/v1/users', {})).id);
    const notified = await recordOrdinals(listener);
    const told = new Map<string, number>();
    const reading = readAll(daemon, told, over.signal);
    const startedMs = performance.now();
    const isOver = () => performance.now() - startedMs > SECONDS * 1000;
    process.stderr.write(`${USERS * BATCHES} pushes and imports for ${SECONDS} s …\n`);
    const bodies = Array.from({ length: BATCHES }, (_, batch) => pushBody(batch, 1));
    const [sent, imports] = await Promise.all([
      sendAtRate(daemon, users, bodies, (USERS * BATCHES) / SECONDS),
      importUntil(isOver, daemon, pool, file),
    ]);
    const seconds = (performance.now() - startedMs) / 1000;
    await ended(pool, sent);
    const missing = await waitUntilTold(pool, told);
    over.abort();
    await reading;
    return await result({ pool, told, notified, sent, imports, seconds, missing });
  } finally {
    over.abort();
    await listener.end();
    await pool.end();
    await daemon.stop();
  }
}

/** Records when each highest ordinal was announced. Reads only the state, so that the measurement costs little. */
async function recordOrdinals(listener: pg.Client): Promise<{ atMs: number; ordinal: number }[]> {
  const notified: { atMs: number; ordinal: number }[] = [];
  await listener.connect();
  listener.on('notification', () => {
    const atMs = Date.now();
    void listener
      .query('select last_ordinal::float8 as last from feed_state')
      .then(({ rows }) => notified.push({ atMs, ordinal: rows[0].last }))
      .catch(() => {});
  });
  await listener.query('listen healthd_feed');
  return notified;
}

/** Follows the feed of all users as an application does, and records the time of the first receipt of each change. */
async function readAll(daemon: DaemonProcess, told: Map<string, number>, signal: AbortSignal): Promise<void> {
  let cursor = '';
  while (!signal.aborted) {
    const path = `/api/v1/changes?limit=1000&wait=30${cursor && `&cursor=${cursor}`}`;
    const response = await fetch(daemon.url + path, { headers: daemon.headers, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!response) return;
    if (!response.ok) throw new Error(`answered with ${response.status}: ${await response.text()}`);
    const page = (await response.json()) as { items: Change[]; cursor: string };
    const atMs = Date.now();
    cursor = page.cursor;
    for (const { user_id: id, position } of page.items) {
      if (position !== null && !told.has(`${id} ${position}`)) told.set(`${id} ${position}`, atMs);
    }
  }
}

/** Imports the file for one new user after the other. */
async function importUntil(
  isOver: () => boolean,
  daemon: DaemonProcess,
  pool: pg.Pool,
  file: { path: string; bytes: number },
): Promise<number> {
  let count = 0;
  for (; !isOver(); count++) {
    const { id } = await daemon.post<{ id: string }>('/api/v1/users', {});
    await uploadExport(daemon, id, file);
    const open = `select from sync_run join health_user using (user_key) where id = $1 and ended_at is null`;
    while ((await pool.query(open, [id])).rowCount !== 0 && !isOver()) await sleep(200);
  }
  return count;
}

async function ended(pool: pg.Pool, sent: readonly SentBatch[]): Promise<void> {
  for (const until = performance.now() + END_WITHIN_MS; ; ) {
    const { rows } = await pool.query<{ open: number; failed: number }>(
      `select count(*) filter (where ended_at is null)::int as open,
              count(*) filter (where run_id = any ($1) and ended_at is not null and status <> 'success')::int as failed
         from sync_run`,
      [sent.map(({ batchId }) => batchId)],
    );
    if (rows[0]?.failed) throw new Error('a push was not stored');
    if (rows[0]?.open === 0) return;
    if (performance.now() > until) throw new Error('the runs did not end');
    await sleep(200);
  }
}

const ALL = `select u.id || ' ' || number as key from change join health_user u using (user_key) where is_data`;

/** Returns the number of changes that the reader did not get within the limit. */
async function waitUntilTold(pool: pg.Pool, told: ReadonlyMap<string, number>): Promise<number> {
  for (const until = performance.now() + 10_000; ; ) {
    const { rows } = await pool.query<{ key: string }>(ALL);
    const missing = rows.filter(({ key }) => !told.has(key)).length;
    if (missing === 0 || performance.now() > until) return missing;
    await sleep(200);
  }
}

async function result(run: {
  pool: pg.Pool;
  told: ReadonlyMap<string, number>;
  notified: readonly { atMs: number; ordinal: number }[];
  sent: readonly SentBatch[];
  imports: number;
  seconds: number;
  missing: number;
}): Promise<ScenarioResult> {
  const { rows } = await run.pool.query<{ key: string; at: Date; ordinal: number; xid: string; origin: string }>(
    `select u.id || ' ' || number as key, at, ordinal::float8 as ordinal, xid::text, body ->> 'origin' as origin
       from change join health_user u using (user_key) where is_data order by ordinal`,
  );
  const pushed = rows.filter(({ origin }) => origin === 'push');
  const entries: Told[] = pushed.flatMap(({ key, at, ordinal }) => {
    const receivedMs = run.told.get(key);
    const notifiedMs = run.notified.find((notice) => notice.ordinal >= ordinal)?.atMs;
    return receivedMs === undefined || notifiedMs === undefined
      ? []
      : [{ storedMs: at.getTime(), notifiedMs, receivedMs }];
  });
  const stages = {
    whole: entries.map(({ storedMs, receivedMs }) => receivedMs - storedMs),
    ordinal: entries.map(({ storedMs, notifiedMs }) => notifiedMs - storedMs),
    response: entries.map(({ notifiedMs, receivedMs }) => receivedMs - notifiedMs),
  };
  const row = (name: string, ms: number[]) => [
    name,
    ...[median(ms), quantile(ms, 0.95), quantile(ms, 0.99), Math.max(...ms)].map((figure) => figure.toFixed(0)),
  ];
  const counts = {
    pushes: run.sent.length,
    transactionsOfPushes: new Set(pushed.map(({ xid }) => xid)).size,
    entriesOfPushes: pushed.length,
    entries: rows.length,
    imports: run.imports,
    seconds: run.seconds,
  };
  return {
    tables: [
      {
        title: `Entries of pushes beside imports, ms`,
        rows: [
          ['', 'p50', 'p95', 'p99', 'max'],
          row('stored to waiting reader', stages.whole),
          row('stored to announced ordinal', stages.ordinal),
          row('announced to response', stages.response),
        ],
      },
      {
        title: 'Counts',
        rows: [
          ['pushes', 'their transactions', 'their entries', 'all entries', 'imports', 'seconds'],
          [...Object.values(counts).map((count) => count.toFixed(0))],
        ],
      },
    ],
    verdicts: [
      {
        what: 'feed, stored to a waiting reader, p95',
        figure: quantile(stages.whole, 0.95),
        digits: 0,
        unit: ' ms',
        bound: 'most',
        target: 1000,
      },
      { what: 'feed, changes not told', figure: run.missing, digits: 0, unit: '', bound: 'most', target: 0 },
    ],
    figures: {
      ...counts,
      missing: run.missing,
      ...Object.fromEntries(
        Object.entries(stages).map(([name, ms]) => [
          name,
          { p50: median(ms), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99) },
        ]),
      ),
    },
  };
}
