import {
  createJobQueue,
  type JobDefinition,
  type JobLog,
  type JobQueue,
  type JobQueueOptions,
} from '@healthd/daemon/jobs';
import { startTestMongod, type TestMongod } from '../support/mongod.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

/** Where the jobs of one test lie: a Postgres database of its own and, for MongoDB, one there too. */
export interface JobPlace {
  readonly database: TestDatabase;
  readonly mongodbUri: string | undefined;
  /** Warnings and errors that the queues logged. */
  readonly logged: string[];
  queue(definitions: readonly JobDefinition[], options?: Partial<JobQueueOptions>): JobQueue;
  /** A queue that is started already. */
  started(definitions: readonly JobDefinition[], options?: Partial<JobQueueOptions>): Promise<JobQueue>;
  close(): Promise<void>;
}

export interface JobBackEnd {
  readonly name: string;
  /** Why this back end cannot be tested here. */
  readonly missing: string | undefined;
  open(): Promise<JobPlace>;
}

/** Short enough that a test does not wait, and no regular look within a test: what runs was told of. */
export const TIMING = { lockMs: 60_000, pollMs: 60_000, sweepMs: 100, graceMs: 200 };

/** The back ends of one test file, with a MongoDB server of its own that `close` ends. */
export async function jobBackEnds(): Promise<{
  backEnds: JobBackEnd[];
  mongod: TestMongod | undefined;
  close(): Promise<void>;
}> {
  const found = await startTestMongod();
  const { mongod } = found;
  const backEnds: JobBackEnd[] = [
    { name: 'Postgres', missing: undefined, open: () => openPlace(undefined) },
    {
      name: mongod === undefined ? `MongoDB (skipped: ${found.reason})` : 'MongoDB',
      missing: mongod === undefined ? found.reason : undefined,
      open: () => openPlace(mongod?.databaseUri()),
    },
  ];
  return { backEnds, mongod, close: async () => mongod?.close() };
}

async function openPlace(mongodbUri: string | undefined): Promise<JobPlace> {
  const database = await createTestDatabase();
  const queues: JobQueue[] = [];
  const logged: string[] = [];
  const note = (_fields: object, message: string): void => void logged.push(message);
  const log: JobLog = { debug: () => undefined, info: () => undefined, warn: note, error: note };
  const queue = (definitions: readonly JobDefinition[], options: Partial<JobQueueOptions> = {}): JobQueue => {
    const made = createJobQueue({
      mongodbUri,
      pool: database.pool,
      connectionString: database.url,
      definitions,
      concurrency: 10,
      role: 'all',
      log,
      ...options,
      timing: { ...TIMING, ...options.timing },
    });
    queues.push(made);
    return made;
  };
  return {
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
