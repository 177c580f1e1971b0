import { RequestBudgets, type RequestPriority, windowsOf } from '@healthd/daemon/connections';
import { intervalsOf, roundOf, runMs } from '@healthd/daemon/ingest/pull';
import { MS_PER_DAY, MS_PER_SECOND, type ProviderId, SECONDS_PER_HOUR } from '@healthd/model';
import type { CloudProvider } from '@healthd/providers';
import type pg from 'pg';
import { EventQueue } from './event-queue.js';

/** Activity of one vendor's users in a day. */
export interface SimulatedVendor {
  provider: ProviderId;
  cloud: Pick<CloudProvider, 'quotas' | 'pull' | 'webhook'>;
  connections: number;
  /** Runs per user after the vendor's reports, and requests per run. */
  reports: { perUser: number; requests: number };
  /** Share of users for whom a caller requests a sync. `newShare` is the share of new users. */
  manualShare: number;
  newShare: number;
  backfillRequests: number;
}

/** Result of the simulation. */
export interface SimulatedFigures {
  provider: ProviderId;
  connections: number;
  sent: number;
  /** Peak requests in any minute and any sliding day, with their limits. */
  peaks: { seconds: number; requests: number; limit: number }[];
  /** Seconds from the request of a run until its last request was sent, without the vendor's response time. */
  waits: Record<RequestPriority, number[]>;
  /** Number of waiting runs at the end of the day. */
  waiting: Record<RequestPriority, number>;
  pollHours: number;
}

export interface SimulatedDay {
  pool: pg.Pool;
  vendors: readonly SimulatedVendor[];
  /** Number of accounts that all processes together can sync in parallel. */
  places: number;
  /** Returns the next number in [0, 1) of a repeatable sequence. */
  random(): number;
}

interface Run {
  vendor: SimulatedVendor;
  account: string;
  priority: RequestPriority;
  requests: number;
  answered: number;
  requestedMs: number;
  /** Position of the run in the queue. */
  seq: number;
  /** Time at which the run requests a slot. */
  dueMs: number;
  /** Number of the run's latest decision. Earlier decisions are void. */
  decisions: number;
}

type Event =
  | { kind: 'round'; vendor: SimulatedVendor }
  /** The run requests a slot. */
  | { kind: 'run'; run: Run; decision: number }
  /** The vendor has responded. The run keeps its slot. */
  | { kind: 'answered'; run: Run }
  | { kind: 'free' };

const SETTINGS = { syncIntervalSeconds: 3_600, webhookPollSeconds: 21_600 };
/** Response time of the vendor. */
const ANSWER_MS = 300;
/** Longest wait during which a run keeps its slot. A run with a longer wait returns to the queue. */
const PATIENCE_MS = 2_000;
const START_MS = Date.parse('2026-03-10T00:00:00Z');
/** Time of the last poll of all users. All polls are due together, as after a migration. */
const LONG_AGO_MS = 0;
const PRIORITIES = ['manual', 'first_sync', 'webhook', 'live', 'backfill'] as const;

/**
 * Simulates a day of the scheduler under a virtual clock. The budgets in Postgres, intervals, rounds and the quota
 * queue are the service's own code. Runs, slots and the vendors' responses are simulated.
 */
export async function simulateDay({ pool, vendors, places, random }: SimulatedDay): Promise<SimulatedFigures[]> {
  let nowMs = START_MS;
  const budgets = new RequestBudgets(pool, () => new Date(nowMs));
  const events = new EventQueue<Event>();
  const ready: Run[] = [];
  const lines = new Map<string, Map<number, Run>>();
  const openPolls = new Set<string>();
  const sentAt = new Map<SimulatedVendor, number[]>(vendors.map((vendor) => [vendor, []]));
  const waits = new Map(vendors.map((vendor) => [vendor, perPriority<number[]>(() => [])]));
  const polledMs = new Map(
    vendors.map((vendor) => [vendor, Array.from({ length: vendor.connections }, () => LONG_AGO_MS)]),
  );
  let free = places;
  let seq = 0;

  const comeBack = (run: Run, atMs: number) => {
    run.dueMs = atMs;
    run.decisions += 1;
    events.add(atMs, { kind: 'run', run, decision: run.decisions });
  };
  const start = (vendor: SimulatedVendor, priority: RequestPriority, requests: number, atMs: number, user: number) => {
    if (requests === 0) return;
    const run = {
      vendor,
      account: `${user}`,
      priority,
      requests,
      answered: 0,
      requestedMs: atMs,
      seq: 0,
      dueMs: atMs,
      decisions: 0,
    };
    comeBack(run, atMs);
  };
  for (const vendor of vendors) {
    for (const [atMs, priority, requests, user] of dayEvents(vendor, random)) {
      start(vendor, priority, requests, atMs, user);
    }
    events.add(START_MS, { kind: 'round', vendor });
  }

  const lineOf = ({ vendor, priority }: Pick<Run, 'vendor' | 'priority'>) => {
    const key = `${vendor.provider} ${priority}`;
    const line = lines.get(key) ?? new Map<number, Run>();
    lines.set(key, line);
    return line;
  };
  const wakeNext = (vendor: SimulatedVendor, atMs: number) => {
    for (const priority of PRIORITIES) {
      const waiting = [...lineOf({ vendor, priority }).values()].filter(({ dueMs }) => dueMs > atMs);
      if (waiting.length === 0) continue;
      return comeBack(
        waiting.reduce((first, run) => (run.seq < first.seq ? run : first)),
        atMs,
      );
    }
  };
  const send = async (run: Run): Promise<void> => {
    const { vendor, account, priority } = run;
    const user = { account, perMinute: vendor.cloud.quotas.perUserAndMinute };
    const budget = budgets.both(vendor.provider, user, windowsOf(vendor.cloud.quotas), priority);
    const { waitMs, perRequestMs } = await budget.take(PATIENCE_MS);
    if (waitMs >= PATIENCE_MS) {
      const line = lineOf(run);
      const ahead = [...line.keys()].filter((other) => other < run.seq).length;
      if (perRequestMs === undefined) line.delete(run.seq);
      else line.set(run.seq, run);
      comeBack(run, nowMs + waitMs + (perRequestMs === undefined ? 0 : ahead * runMs(vendor.cloud.pull, perRequestMs)));
      free += 1;
      return;
    }
    lineOf(run).delete(run.seq);
    const atMs = nowMs + waitMs;
    sentAt.get(vendor)!.push(atMs);
    run.requests -= 1;
    run.answered += 1;
    events.add(atMs + ANSWER_MS, run.requests === 0 ? { kind: 'free' } : { kind: 'answered', run });
    if (run.requests > 0) return;
    if (priority === 'live') openPolls.delete(`${vendor.provider} ${account}`);
    wakeNext(vendor, atMs + ANSWER_MS);
    const vendorsOwnMs = (run.answered - 1) * ANSWER_MS;
    waits.get(vendor)![priority].push((atMs - run.requestedMs - vendorsOwnMs) / MS_PER_SECOND);
  };
  const round = (vendor: SimulatedVendor) => {
    const { seconds, connections } = roundOf(SETTINGS, intervals(vendor));
    const { linked } = intervals(vendor);
    const polled = polledMs.get(vendor)!;
    const due = [...polled.entries()]
      .filter(([, atMs]) => atMs <= nowMs - linked * MS_PER_SECOND)
      .toSorted(([, one], [, other]) => one - other)
      .slice(0, connections);
    const requests = pollRequests(vendor);
    for (const [user] of due) {
      polled[user] = nowMs;
      // A connection has at most one open poll.
      if (openPolls.has(`${vendor.provider} ${user}`)) continue;
      openPolls.add(`${vendor.provider} ${user}`);
      start(vendor, 'live', requests, nowMs + Math.round(seconds * random() * MS_PER_SECOND), user);
    }
    events.add(nowMs + seconds * MS_PER_SECOND, { kind: 'round', vendor });
  };

  for (let next = events.next(); next && next.atMs < START_MS + MS_PER_DAY; next = events.next()) {
    nowMs = next.atMs;
    const { event } = next;
    if (event.kind === 'round') round(event.vendor);
    else if (event.kind === 'free') free += 1;
    else if (event.kind === 'answered') await send(event.run);
    else if (event.run.decisions === event.decision) {
      if (event.run.seq === 0) event.run.seq = ++seq;
      ready.push(event.run);
    }
    while (free > 0 && ready.length > 0) {
      free -= 1;
      await send(ready.shift()!);
    }
  }
  return vendors.map((vendor) => ({
    provider: vendor.provider,
    connections: vendor.connections,
    sent: sentAt.get(vendor)!.length,
    peaks: peaksOf(vendor, sentAt.get(vendor)!),
    waits: waits.get(vendor)!,
    waiting: perPriority((priority) => lines.get(`${vendor.provider} ${priority}`)?.size ?? 0),
    pollHours: intervals(vendor).linked / SECONDS_PER_HOUR,
  }));
}

/**
 * Returns the average number of requests of a poll in webhook mode: one request per data type without reports, plus the
 * average for the reported data types, which only some polls request.
 */
function pollRequests(vendor: SimulatedVendor): number {
  const types = vendor.cloud.pull?.dataTypes ?? [];
  const reported = types.filter(({ notified }) => notified).length;
  const { linked, reconciled } = intervals(vendor);
  const polledToo = vendor.cloud.webhook?.losesEvents ? (reported * linked) / reconciled : 0;
  return types.length - reported + Math.round(polledToo);
}

function intervals({ cloud, connections: count }: SimulatedVendor) {
  return intervalsOf({ cloud, count, isWebhook: true, settings: SETTINGS });
}

function* dayEvents(
  { connections, reports, manualShare, newShare, backfillRequests, cloud }: SimulatedVendor,
  random: () => number,
): Generator<[atMs: number, priority: RequestPriority, requests: number, user: number]> {
  const anyTime = () => START_MS + Math.floor(random() * MS_PER_DAY);
  const all = cloud.pull?.dataTypes.length ?? 0;
  for (let user = 0; user < connections; user++) {
    for (let report = 0; report < reports.perUser; report++) yield [anyTime(), 'webhook', reports.requests, user];
    if (random() < manualShare) yield [anyTime(), 'manual', all, user];
    if (random() >= newShare) continue;
    const atMs = anyTime();
    yield [atMs, 'first_sync', all, user];
    yield [atMs, 'backfill', backfillRequests, user];
  }
}

function peaksOf({ cloud }: SimulatedVendor, sentAtMs: readonly number[]) {
  const sorted = sentAtMs.toSorted((one, other) => one - other);
  return windowsOf(cloud.quotas).flatMap(({ requests: limit, seconds }) => {
    if (limit === undefined) return [];
    let first = 0;
    let most = 0;
    for (const [at, atMs] of sorted.entries()) {
      while (sorted[first]! <= atMs - seconds * MS_PER_SECOND) first += 1;
      most = Math.max(most, at - first + 1);
    }
    return [{ seconds, requests: most, limit }];
  });
}

function perPriority<T>(of: (priority: RequestPriority) => T): Record<RequestPriority, T> {
  return Object.fromEntries(PRIORITIES.map((priority) => [priority, of(priority)])) as Record<RequestPriority, T>;
}
