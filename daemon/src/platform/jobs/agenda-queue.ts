import type pg from 'pg';
import { createPool } from '../database/index.js';
import { releaseJobsOfDeadWorkers } from './dead-workers.js';
import type { Job, JobDefinition, JobSweeper } from './definition.js';
import { JobFailure } from './failures.js';
import type { FinishedRun } from './job-run.js';
import { MongoJobStore } from './mongo-store.js';
import { JobNotifications } from './notifications.js';
import { PostgresJobStore } from './postgres-store.js';
import {
  DEFAULT_TIMING,
  type JobQueue,
  type JobQueueOptions,
  type JobRunCounts,
  type JobTiming,
  type QueueStatus,
} from './queue.js';
import { assertRegistry } from './registry.js';
import type { JobStore, StoredJobData } from './store.js';
import { StoreConnection } from './store-connection.js';
import { startSweeping } from './sweep.js';
import { JobWorker } from './worker.js';

const TRY_ENQUEUE_LIMIT_MS = 1000;
const DEFAULT_STOP_DEADLINE_SECONDS = 20;

/** Run locks in addition to one per job: for the sweeper, and for aborted handlers that are still running. */
const SPARE_RUN_LOCKS = 4;

/** Creates the queue on the configured job store. Connects only in `start`. */
export function createJobQueue(options: JobQueueOptions): JobQueue {
  return new AgendaJobQueue(options);
}

class AgendaJobQueue implements JobQueue {
  readonly #options: JobQueueOptions;
  readonly #timing: JobTiming;
  readonly #definitions: JobDefinition[] = [];
  readonly #sweepers: JobSweeper[] = [];
  readonly #byName = new Map<string, JobDefinition>();
  readonly #counts = new Map<string, JobRunCounts>();
  readonly #store: JobStore;
  readonly #connection: StoreConnection;
  readonly #lockPool: pg.Pool;
  readonly #notifications: JobNotifications;
  #worker: JobWorker | undefined;
  #stopSweeping: (() => Promise<void>) | undefined;
  #started = false;
  #stopped: Promise<void> | undefined;

  constructor(options: JobQueueOptions) {
    this.#options = options;
    this.#timing = { ...DEFAULT_TIMING, ...options.timing };
    const { connectionString, channels, mongodbUri, log } = options;
    this.#store = mongodbUri === undefined ? new PostgresJobStore(connectionString) : new MongoJobStore(mongodbUri);
    this.#connection = new StoreConnection(this.#store, log, (first) => this.#storeIsUp(first));
    // Separate from the service's pool: each run holds a connection of this pool while its handler needs a connection
    // of the service's pool.
    this.#lockPool = createPool({
      url: connectionString,
      max: options.concurrency + SPARE_RUN_LOCKS,
      connectTimeoutSeconds: 5,
      applicationName: 'healthd run locks',
      onIdleError: (error) =>
        log.debug({ event: 'run_lock_connection_lost', err: error }, 'Lost an idle run lock connection'),
    });
    this.#notifications = new JobNotifications({ publishPool: options.pool, channels, log });
  }

  define<P>(definition: JobDefinition<P>): Job<P> {
    this.#assertNotStarted();
    const anyPayload = definition as JobDefinition;
    this.#definitions.push(anyPayload);
    return {
      enqueue: (payload, options) =>
        this.#enqueue(anyPayload, payload, { wakes: options?.runAt === undefined, ...options }),
      tryEnqueue: (payload) => this.#tryEnqueue(anyPayload, payload),
    };
  }

  sweep(sweeper: JobSweeper): void {
    this.#assertNotStarted();
    this.#sweepers.push(sweeper);
  }

  /** @param options.wakes makes a waiting job with the same key due */
  async #enqueue(
    definition: JobDefinition,
    payload: unknown,
    { runAt, wakes }: { runAt?: Date; wakes: boolean },
  ): Promise<'queued' | 'already_queued'> {
    const { name } = definition;
    const data = storedData(definition, payload);
    const worker = this.#worker;
    if (worker === undefined || !this.#connection.up) {
      throw new JobFailure('job_store_unavailable', 'Cannot reach the job store');
    }
    try {
      // Checks for a duplicate first, because a rejected insert logs an error in the database. The unique index makes
      // the final decision.
      const { uniqueKey } = data;
      const [waiting] = uniqueKey === undefined ? [] : await this.#store.pendingDuplicates(name, uniqueKey);
      if (uniqueKey !== undefined && waiting !== undefined) {
        if (wakes && waiting.nextRunAt.getTime() > Date.now()) {
          const dueAt = await this.#store.wake(name, uniqueKey);
          if (dueAt !== undefined) worker.announce(name, dueAt);
        }
        return 'already_queued';
      }
      await worker.enqueue(name, data, runAt ?? new Date());
      return 'queued';
    } catch (cause) {
      if (this.#store.isDuplicate(cause)) return 'already_queued';
      this.#connection.suspect(cause);
      throw new JobFailure('job_store_unavailable', 'The job store rejected the job', undefined, { cause });
    }
  }

  async #tryEnqueue(definition: JobDefinition, payload: unknown): Promise<boolean> {
    storedData(definition, payload);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), TRY_ENQUEUE_LIMIT_MS);
    });
    const queued = this.#enqueue(definition, payload, { wakes: true }).then(
      () => true,
      () => false,
    );
    const done = await Promise.race([queued, late]);
    clearTimeout(timer);
    if (!done) {
      this.#options.log.debug(
        { event: 'job_left_to_sweeper', job: definition.name },
        'Failed to enqueue the job; the sweeper will retry',
      );
    }
    return done;
  }

  async start(): Promise<void> {
    this.#assertNotStarted();
    assertRegistry(this.#definitions, this.#sweepers);
    for (const definition of this.#definitions) this.#byName.set(definition.name, definition);
    this.#started = true;
    await this.#connection.start();
    if (this.#options.role === 'api') return;
    this.#stopSweeping = startSweeping({
      sweepers: this.#sweepers,
      lockPool: this.#lockPool,
      everyMs: this.#timing.sweepMs,
      log: this.#options.log,
      storeIsUp: () => this.#connection.up,
      releaseUnstarted: () => this.#releaseUnstarted(),
      enqueue: async (name, payload) => {
        const definition = this.#byName.get(name);
        if (definition) await this.#enqueue(definition, payload, { wakes: false });
      },
    });
  }

  stop(deadlineSeconds: number = DEFAULT_STOP_DEADLINE_SECONDS): Promise<void> {
    this.#stopped ??= this.#stop(deadlineSeconds);
    return this.#stopped;
  }

  async #stop(deadlineSeconds: number): Promise<void> {
    await this.#stopSweeping?.();
    await this.#worker?.stop(deadlineSeconds * 1000);
    this.#connection.stop();
    await this.#notifications.disconnect();
    await this.#store
      .close()
      .catch((error: unknown) =>
        this.#options.log.warn({ event: 'job_store_close_failed', err: error }, 'Failed to close the job store'),
      );
    // Does not wait: a handler that is still running keeps its run lock's connection, which the end of the process
    // frees.
    void this.#lockPool.end();
  }

  async status(): Promise<QueueStatus> {
    const store = this.#store.kind;
    const away: QueueStatus = { store, storeIsUp: false, jobs: [] };
    if (!this.#connection.up) return away;
    const counted = await this.#store.counts().catch((error: unknown) => {
      this.#connection.suspect(error);
      return undefined;
    });
    if (counted === undefined) return away;
    const stored = new Map(counted.map((counts) => [counts.name, counts]));
    const names = [...new Set([...this.#byName.keys(), ...stored.keys()])].sort();
    const none = { waiting: 0, scheduled: 0, running: 0, failing: 0, oldestWaitingSince: undefined };
    const jobs = names.map((name) => ({ name, ...none, ...stored.get(name), sinceStart: { ...this.#countsOf(name) } }));
    return { store, storeIsUp: true, jobs };
  }

  async #storeIsUp(first: boolean): Promise<void> {
    if (!first) {
      await this.#worker?.storeIsBack();
      return;
    }
    this.#worker = new JobWorker({
      store: this.#store,
      notifications: this.#notifications,
      definitions: this.#definitions,
      lockPool: this.#lockPool,
      concurrency: this.#options.concurrency,
      timing: this.#timing,
      log: this.#options.log,
      again: (definition, payload) => this.#tryEnqueue(definition, payload),
      suspect: (error) => this.#connection.suspect(error),
      finished: (run) => this.#finished(run),
    });
    if (this.#options.role === 'api') return;
    await releaseJobsOfDeadWorkers(this.#store, this.#lockPool);
    await this.#worker.start();
  }

  /**
   * Releases jobs that were claimed but not started. Their worker crashed or could not store the start. Without this
   * release, the claim would last until its lock expires.
   */
  async #releaseUnstarted(): Promise<void> {
    const names = await this.#store.releaseUnstarted(new Date(Date.now() - this.#timing.beginMs));
    for (const name of new Set(names)) this.#worker?.announce(name);
  }

  #finished(run: FinishedRun): void {
    const counts = this.#countsOf(run.name);
    if (run.outcome === 'completed') counts.completed += 1;
    else if (run.outcome === 'failed') counts.failed += 1;
    else if (run.outcome === 'gave_up') counts.gaveUp += 1;
    this.#options.onRun?.(run);
  }

  #countsOf(name: string): JobRunCounts {
    const counts = this.#counts.get(name) ?? { completed: 0, failed: 0, gaveUp: 0 };
    this.#counts.set(name, counts);
    return counts;
  }

  #assertNotStarted(): void {
    if (this.#started) throw new JobFailure('job_registry_invalid', 'The job queue has already started');
  }
}

/** Converts a payload through JSON, so that it is the same in both stores. @throws JobFailure `job_payload_invalid` */
function storedData({ name, payload: schema, key }: JobDefinition, payload: unknown): StoredJobData {
  const json: unknown = JSON.parse(JSON.stringify(payload ?? null));
  if (!schema.safeParse(json).success) {
    throw new JobFailure('job_payload_invalid', 'The payload does not fit the job', name);
  }
  const uniqueKey = key?.(json);
  return uniqueKey === undefined ? { payload: json } : { payload: json, uniqueKey };
}
