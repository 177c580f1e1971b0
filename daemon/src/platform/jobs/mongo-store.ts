import type { MongoJobRepository } from '@agendajs/mongo-backend';
import type { Collection, Document, MongoClient } from 'mongodb';
import { JobFailure } from './failures.js';
import type { JobStore, LockedJob, PendingDuplicate, StoredJobCounts } from './store.js';

const COLLECTION = 'agendaJobs';
const DEFAULT_DATABASE = 'healthd';

/** Timeout of an operation while the server is unavailable. */
const SERVER_LIMIT_MS = 3000;

const waiting = { $and: [{ $eq: [{ $ifNull: ['$lockedAt', null] }, null] }, { $lte: ['$nextRunAt', '$$NOW'] }] };
const later = { $and: [{ $eq: [{ $ifNull: ['$lockedAt', null] }, null] }, { $gt: ['$nextRunAt', '$$NOW'] }] };
const countIf = (condition: object): object => ({ $sum: { $cond: [condition, 1, 0] } });

const COUNTS: Document[] = [
  {
    $group: {
      _id: '$name',
      waiting: countIf({ $and: [waiting, { $ne: ['$nextRunAt', null] }] }),
      scheduled: countIf(later),
      running: countIf({ $ne: [{ $ifNull: ['$lockedAt', null] }, null] }),
      failing: countIf({ $gt: ['$failCount', 0] }),
      oldest: { $min: { $cond: [waiting, '$nextRunAt', null] } },
    },
  },
  { $sort: { _id: 1 } },
];

interface CountsDocument extends Omit<StoredJobCounts, 'name' | 'oldestWaitingSince'> {
  readonly _id: string;
  readonly oldest: Date | null;
}

interface Opened {
  /**
   * Loaded only when a store is opened. Most services have their jobs in Postgres and start faster without the driver.
   */
  readonly driver: typeof import('mongodb');
  readonly client: MongoClient;
  readonly jobs: Collection;
  readonly repository: MongoJobRepository;
}

/** Jobs on a MongoDB server, in collection agendaJobs of the database in MONGODB_URI (default: healthd). */
export class MongoJobStore implements JobStore {
  readonly kind = 'mongodb';
  readonly #uri: string;
  #opened: Opened | undefined;

  constructor(uri: string) {
    this.#uri = uri;
  }

  get repository(): MongoJobRepository {
    return this.#open.repository;
  }

  get #open(): Opened {
    if (this.#opened === undefined) throw new JobFailure('job_store_unavailable', 'The job store is not open yet');
    return this.#opened;
  }

  async open(): Promise<void> {
    await this.#opened?.client.close();
    const [driver, backend] = await Promise.all([import('mongodb'), import('@agendajs/mongo-backend')]);
    // Creates a new client for each attempt, because a client whose first connection failed never connects again.
    const client = new driver.MongoClient(this.#uri, {
      serverSelectionTimeoutMS: SERVER_LIMIT_MS,
      maxPoolSize: 10,
      // Waits for the journal: a single server otherwise acknowledges up to 100 ms before it writes the journal, and
      // would lose the job if it is killed then.
      writeConcern: { w: 'majority', journal: true },
    });
    try {
      await client.connect();
      const database = client.db(/^[^/]+\/\/[^/]+\/([^?]+)/.exec(this.#uri)?.[1] ?? DEFAULT_DATABASE);
      const jobs = database.collection(COLLECTION);
      // Agenda creates its lookup index. The other two indexes keep keys and repeating jobs unique, which Agenda does
      // not ensure.
      const repository = new backend.MongoJobRepository({
        mongo: database,
        db: { collection: COLLECTION },
        ensureIndex: true,
      });
      await repository.connect();
      await jobs.createIndex(
        { name: 1, 'data.uniqueKey': 1 },
        {
          name: 'waitingKey',
          unique: true,
          partialFilterExpression: { 'data.uniqueKey': { $type: 'string' }, nextRunAt: { $type: 'date' } },
        },
      );
      await jobs.createIndex(
        { name: 1 },
        { name: 'repeating', unique: true, partialFilterExpression: { type: 'single' } },
      );
      this.#opened = { driver, client, jobs, repository };
    } catch (error) {
      await client.close().catch(() => undefined);
      throw error;
    }
  }

  async ping(): Promise<void> {
    await this.#open.client.db('admin').command({ ping: 1 });
  }

  isDuplicate(error: unknown): boolean {
    const { driver } = this.#opened ?? {};
    return driver !== undefined && error instanceof driver.MongoServerError && error.code === 11000;
  }

  async pendingDuplicates(name: string, uniqueKey: string): Promise<PendingDuplicate[]> {
    const found = this.#open.jobs.find({ name, 'data.uniqueKey': uniqueKey, nextRunAt: { $type: 'date' } });
    const jobs = await found.project({ _id: 1, failCount: 1, nextRunAt: 1 }).toArray();
    return jobs.map((job) => ({ id: String(job._id), failCount: job.failCount ?? 0, nextRunAt: job.nextRunAt }));
  }

  async wake(name: string, uniqueKey: string): Promise<Date | undefined> {
    const { jobs } = this.#open;
    const at = { $max: [new Date(), { $add: ['$lastFinishedAt', 1000] }] };
    const woken = await jobs.findOneAndUpdate(
      {
        name,
        'data.uniqueKey': uniqueKey,
        lockedAt: null,
        nextRunAt: { $type: 'date' },
        $expr: { $gt: ['$nextRunAt', at] },
      },
      [{ $set: { nextRunAt: at, failCount: { $max: [{ $subtract: [{ $ifNull: ['$failCount', 0] }, 1] }, 0] } } }],
      { returnDocument: 'after' },
    );
    return woken?.nextRunAt;
  }

  async releaseUnstarted(before: Date): Promise<string[]> {
    const { jobs } = this.#open;
    const unstarted = { type: 'normal', lockedAt: { $type: 'date', $lte: before }, nextRunAt: { $type: 'date' } };
    const found = await jobs.find(unstarted).project({ _id: 1, name: 1 }).toArray();
    if (found.length === 0) return [];
    await jobs.updateMany({ ...unstarted, _id: { $in: found.map(({ _id }) => _id) } }, { $set: { lockedAt: null } });
    return found.map(({ name }) => name);
  }

  async lockedJobs(before: Date): Promise<LockedJob[]> {
    const found = this.#open.jobs.find({ lockedAt: { $type: 'date', $lte: before } });
    const jobs = await found.project({ _id: 1, name: 1, 'data.uniqueKey': 1 }).toArray();
    return jobs.map(({ _id, name, data }) => ({ id: String(_id), name, uniqueKey: data?.uniqueKey }));
  }

  async endLock(id: string): Promise<void> {
    const _id = this.#open.driver.ObjectId.createFromHexString(id);
    await this.#open.jobs.updateOne({ _id, lockedAt: { $type: 'date' } }, { $set: { lockedAt: new Date(0) } });
  }

  async counts(): Promise<StoredJobCounts[]> {
    const rows = await this.#open.jobs.aggregate<CountsDocument>(COUNTS).toArray();
    return rows.map(({ _id, oldest, ...counts }) => ({
      name: _id,
      ...counts,
      oldestWaitingSince: oldest ?? undefined,
    }));
  }

  async close(): Promise<void> {
    await this.#opened?.client.close();
  }
}
