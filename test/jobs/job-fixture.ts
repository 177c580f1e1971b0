import {
  createJobQueue,
  type Job,
  type JobDefinition,
  type JobLog,
  type JobQueue,
  type JobQueueOptions,
  type JobSweeper,
} from '@healthd/daemon/platform/jobs';
import { type Collection, MongoClient } from 'mongodb';
import { startTestMongod, type TestMongod } from '../support/mongod.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import type { Step } from './steps.js';

/** A queue of step jobs, which are enqueued by name. */
interface StepQueue extends JobQueue {
  enqueue(
    name: string,
    step: Pick<Step, 'id'>,
    options?: { uniqueKey?: string; runAt?: Date },
  ): ReturnType<Job<Step>['enqueue']>;
  tryEnqueue(name: string, step: Pick<Step, 'id'>, options?: { uniqueKey?: string }): Promise<boolean>;
}

interface StepQueueOptions extends Partial<JobQueueOptions> {
  sweepers?: readonly JobSweeper[];
}

/** Storage for one test's jobs: a separate Postgres database and, for MongoDB, also a MongoDB database. */
export interface JobFixture {
  readonly database: TestDatabase;
  readonly mongodbUri: string | undefined;
  /** Events of the warnings and errors that the queues logged. */
  readonly logged: string[];
  queue(definitions: readonly JobDefinition<Step>[], options?: StepQueueOptions): StepQueue;
  /** Returns the number of failures and the due time of each waiting job. */
  waiting(): Promise<{ failures: number; dueMs: number }[]>;
  /** Sets the number of failures of the waiting jobs. */
  setWaitingFailures(failures: number): Promise<void>;
  /** Makes the waiting jobs due and marks them as claimed this long ago by a worker that never started them. */
  claimWaiting(agoMs: number): Promise<void>;
  /** Returns a started queue. */
  started(definitions: readonly JobDefinition<Step>[], options?: StepQueueOptions): Promise<StepQueue>;
  close(): Promise<void>;
}

export interface JobBackEnd {
  readonly name: string;
  /** Reason why this machine cannot test the back end; undefined if it can. */
  readonly missing: string | undefined;
  open(): Promise<JobFixture>;
}

/** Short timing for fast tests. The poll interval is longer than any test, so only notifications start jobs. */
const TIMING = { lockMs: 60_000, pollMs: 600_000, sweepMs: 100, graceMs: 200 };

/** Starts the back ends of one test file, with a separate MongoDB server that `close` stops. */
export async function jobBackEnds(): Promise<{
  backEnds: JobBackEnd[];
  mongod: TestMongod | undefined;
  close(): Promise<void>;
}> {
  const found = await startTestMongod();
  const { mongod } = found;
  const backEnds: JobBackEnd[] = [
    { name: 'Postgres', missing: undefined, open: () => openFixture(undefined) },
    {
      name: mongod === undefined ? `MongoDB (skipped: ${found.reason})` : 'MongoDB',
      missing: mongod === undefined ? found.reason : undefined,
      open: () => openFixture(mongod?.databaseUri()),
    },
  ];
  return { backEnds, mongod, close: async () => mongod?.close() };
}

async function openFixture(mongodbUri: string | undefined): Promise<JobFixture> {
  const database = await createTestDatabase();
  const queues: JobQueue[] = [];
  const logged: string[] = [];
  const note = (fields: object): void => void logged.push((fields as { event: string }).event);
  const log: JobLog = { debug: () => undefined, info: () => undefined, warn: note, error: note };
  const queue = (definitions: readonly JobDefinition<Step>[], options: StepQueueOptions = {}): StepQueue => {
    const made = createJobQueue({
      mongodbUri,
      pool: database.pool,
      connectionString: database.url,
      channels: database.channels,
      concurrency: 10,
      role: 'all',
      log,
      ...options,
      timing: { ...TIMING, ...options.timing },
    });
    queues.push(made);
    const jobs = new Map(definitions.map((definition) => [definition.name, made.define(definition)]));
    for (const sweeper of options.sweepers ?? []) made.sweep(sweeper);
    const jobOf = (name: string): Job<Step> => {
      const job = jobs.get(name);
      if (!job) throw new Error(`no job ${name}`);
      return job;
    };
    return Object.assign(made, {
      enqueue: (name: string, { id }: Step, options: { uniqueKey?: string; runAt?: Date } = {}) =>
        jobOf(name).enqueue({ id, key: options.uniqueKey }, options.runAt && { runAt: options.runAt }),
      tryEnqueue: (name: string, { id }: Step, options: { uniqueKey?: string } = {}) =>
        jobOf(name).tryEnqueue({ id, key: options.uniqueKey }),
    });
  };
  return {
    ...(mongodbUri === undefined ? waitingInPostgres(database) : waitingInMongodb(mongodbUri)),
    database,
    mongodbUri,
    logged,
    queue,
    started: async (definitions, options) => {
      const made = queue(definitions, options);
      await made.start();
      return made;
    },
    close: async () => {
      await Promise.all(queues.map((made) => made.stop(0)));
      await database.drop();
    },
  };
}

type WaitingJobs = Pick<JobFixture, 'waiting' | 'setWaitingFailures' | 'claimWaiting'>;

function waitingInPostgres({ pool }: TestDatabase): WaitingJobs {
  return {
    waiting: async () => {
      const { rows } = await pool.query<{ failures: number; due: Date }>(
        `select coalesce(fail_count, 0)::int as failures, next_run_at as due from agenda_jobs
          where next_run_at is not null order by next_run_at`,
      );
      return rows.map(({ failures, due }) => ({ failures, dueMs: due.getTime() }));
    },
    setWaitingFailures: async (failures) => {
      await pool.query('update agenda_jobs set fail_count = $1 where next_run_at is not null', [failures]);
    },
    claimWaiting: async (agoMs) => {
      await pool.query('update agenda_jobs set next_run_at = $1, locked_at = $1 where next_run_at is not null', [
        new Date(Date.now() - agoMs),
      ]);
    },
  };
}

function waitingInMongodb(uri: string): WaitingJobs {
  const waiting = { nextRunAt: { $type: 'date' } };
  const withJobs = async <T>(work: (jobs: Collection) => Promise<T>): Promise<T> => {
    const client = await MongoClient.connect(uri);
    try {
      return await work(client.db().collection('agendaJobs'));
    } finally {
      await client.close();
    }
  };
  return {
    waiting: () =>
      withJobs(async (jobs) =>
        (await jobs.find(waiting).sort({ nextRunAt: 1 }).toArray()).map(({ failCount, nextRunAt }) => ({
          failures: failCount ?? 0,
          dueMs: (nextRunAt as Date).getTime(),
        })),
      ),
    setWaitingFailures: (failures) =>
      withJobs(async (jobs) => void (await jobs.updateMany(waiting, { $set: { failCount: failures } }))),
    claimWaiting: (agoMs) => {
      const at = new Date(Date.now() - agoMs);
      return withJobs(async (jobs) => void (await jobs.updateMany(waiting, { $set: { nextRunAt: at, lockedAt: at } })));
    },
  };
}
