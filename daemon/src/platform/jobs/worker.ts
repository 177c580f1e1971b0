import { hostname } from 'node:os';
import { Agenda, type AgendaBackend, type Job, toJobId } from 'agenda';
import type { Pool } from 'pg';
import type { JobDefinition, JobLog } from './definition.js';
import { type GuardedRepository, guardRepository } from './guarded-repository.js';
import { type FinishedRun, jobProcessor } from './job-run.js';
import type { JobNotifications } from './notifications.js';
import type { JobTiming } from './queue.js';
import type { JobStore, StoredJobData } from './store.js';

export interface WorkerOptions {
  readonly store: JobStore;
  readonly notifications: JobNotifications;
  readonly definitions: readonly JobDefinition[];
  readonly lockPool: Pool;
  readonly concurrency: number;
  readonly timing: JobTiming;
  readonly log: JobLog;
  /** Enqueues another run of a job. */
  again(definition: JobDefinition, payload: unknown): Promise<boolean>;
  suspect(error: unknown): void;
  finished(run: FinishedRun): void;
}

/** Runs Agenda on an open store. Enqueues jobs and, once started, runs them. */
export class JobWorker {
  readonly #options: WorkerOptions;
  readonly #agenda: Agenda;
  readonly #guard: GuardedRepository;
  readonly #running = new Set<string>();
  /** Number of claimed jobs, running or about to start. Each one occupies a slot. */
  #claims = 0;
  readonly #abort = new AbortController();
  #stopping = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { store, notifications, concurrency, timing, log } = options;
    this.#guard = guardRepository(store, log, {
      stopping: () => this.#stopping,
      claimed: () => {
        this.#claims += 1;
      },
      givenBack: (name) => this.#slotFreed(name),
    });
    const backend: AgendaBackend = {
      name: store.kind,
      repository: this.#guard.repository,
      // The queue opens and closes the store itself: Agenda's constructor would leave a failed connection unhandled,
      // which ends the process.
      ownsConnection: false,
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
    };
    this.#agenda = new Agenda({
      backend,
      name: `${hostname()}:${process.pid}`,
      notificationChannel: notifications,
      processEvery: timing.pollMs,
      defaultLockLifetime: timing.lockMs,
      // Locks only as many jobs as there are slots. A locked job that waits for a slot could lose its lock, and Agenda
      // never frees the slot of such a job.
      maxConcurrency: concurrency,
      lockLimit: concurrency,
    });
    this.#agenda.on('error', (error) => options.suspect(error));
    this.#agenda.on('complete', (job: Job) => this.#ended(job));
    notifications.whenListening(() => this.#nudgeAll());
    for (const definition of options.definitions) this.#define(definition);
  }

  async enqueue(name: string, data: StoredJobData, runAt: Date): Promise<void> {
    await this.#agenda.create(name, data).schedule(runAt).save();
  }

  async start(): Promise<void> {
    for (const definition of this.#options.definitions) await this.#schedule(definition);
    await this.#agenda.start();
  }

  /** Call after an outage of the store. Deletes jobs that finished during the outage and looks for due jobs. */
  async storeIsBack(): Promise<void> {
    await this.#guard.removePending();
    this.#nudgeAll();
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    await this.#idle(deadlineMs);
    if (this.#running.size > 0) {
      this.#options.log.info({ event: 'jobs_interrupted', running: this.#running.size }, 'Interrupting running jobs');
      this.#abort.abort(new Error('job_process_stopping'));
      await this.#idle(this.#options.timing.stopGraceMs + 500);
    }
    await this.#agenda.stop(false).catch((error: unknown) => this.#options.suspect(error));
  }

  #define(definition: JobDefinition): void {
    const { log, lockPool, timing, again, suspect, finished, concurrency } = this.#options;
    const runner = {
      guard: this.#guard,
      lockPool,
      stopping: this.#abort.signal,
      log,
      touchMs: timing.lockMs / 4,
      graceMs: timing.graceMs,
      stopGraceMs: timing.stopGraceMs,
      again,
      suspect,
      finished,
    };
    const run = jobProcessor(runner, definition);
    const slots = Math.min(definition.concurrency, concurrency);
    this.#agenda.define<StoredJobData>(
      definition.name,
      async (job) => {
        this.#running.add(String(job.attrs._id));
        await run(job);
      },
      { concurrency: slots, lockLimit: slots, lockLifetime: timing.lockMs },
    );
  }

  /**
   * Schedules a repeating job. Calls Agenda's `every` only for a new or changed interval, because it resets the next
   * run.
   */
  async #schedule(definition: JobDefinition): Promise<void> {
    if (definition.everySeconds === undefined) return;
    const everyMs = definition.everySeconds * 1000;
    const { jobs } = await this.#agenda.queryJobs({ name: definition.name });
    const stored = jobs.find((job) => job.type === 'single');
    if (stored && Number(stored.repeatInterval) === everyMs) return;
    // Skips the first run of a stored job. Otherwise its next run would keep the earlier interval.
    const options = stored && { skipImmediate: true };
    try {
      await this.#agenda.every(everyMs, definition.name, { payload: {} }, options);
    } catch (error) {
      if (!this.#options.store.isDuplicate(error)) throw error;
    }
  }

  #ended(job: Job): void {
    const { name, nextRunAt, priority } = job.attrs;
    this.#running.delete(String(job.attrs._id));
    if (this.#running.size === 0) this.#whenIdle?.();
    // Notifies workers with a free slot when the job is due, because Agenda itself only reports new jobs.
    if (nextRunAt !== null) this.announce(name, nextRunAt, priority);
    this.#slotFreed(name);
  }

  /** Notifies all workers that a stored job is, or will be, due. */
  announce(name: string, nextRunAt = new Date(), priority = 0): void {
    const notification = { jobId: toJobId(''), jobName: name, nextRunAt, priority, timestamp: new Date() };
    void this.#options.notifications.publish(notification);
  }

  /**
   * Frees a job's slot and makes Agenda look for the next job. Agenda looks only after a notification or at its next
   * poll. If all slots were taken, it has not looked for jobs of any type.
   */
  #slotFreed(name: string): void {
    const full = this.#claims >= this.#options.concurrency;
    this.#claims -= 1;
    // Waits for the next turn of the event loop, because Agenda frees the slot right after it reports the job as
    // complete.
    setImmediate(() => {
      if (this.#stopping) return;
      if (full) this.#nudgeAll();
      else this.#options.notifications.nudge(name);
    });
  }

  #nudgeAll(): void {
    for (const { name } of this.#options.definitions) this.#options.notifications.nudge(name);
  }

  async #idle(limitMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
