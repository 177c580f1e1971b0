import type { JobSweeper } from '@healthd/daemon/platform/jobs';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JobFixture, jobBackEnds } from './job-fixture.js';
import { eventually, gate, type Step, stepJob, storedJobs } from './steps.js';

const { backEnds, mongod, close } = await jobBackEnds();
afterAll(close);

const onMongodb = backEnds[1]!;
const missing = onMongodb.missing ?? (mongod?.ours ? undefined : 'the server at MONGODB_URI is not ours to stop');

describe.skipIf(missing !== undefined)(
  missing === undefined ? 'while MongoDB is away' : `while MongoDB is away (skipped: ${missing})`,
  () => {
    let fixture: JobFixture;
    const timing = { lockMs: 2000, pollMs: 200, sweepMs: 100 };

    beforeEach(async () => {
      await mongod?.stop();
      await mongod?.start();
      fixture = await onMongodb.open();
    });
    afterEach(async () => {
      await mongod?.start();
      await fixture.close();
    });

    /** Stores work as a service does: a row that the job marks when the work is done. */
    async function keepWork(): Promise<{
      add(id: string): Promise<void>;
      process(id: string): Promise<void>;
      sweeper: JobSweeper<Step>;
      processed(): Promise<string[]>;
    }> {
      const { pool } = fixture.database;
      await pool.query('create table work (id text primary key, processed int not null default 0)');
      return {
        add: async (id) => void (await pool.query('insert into work (id) values ($1)', [id])),
        process: async (id) => {
          await pool.query(`update work set processed = processed + 1 where id = $1 and processed = 0`, [id]);
        },
        sweeper: {
          name: 'step',
          findUnqueued: async (limit) => {
            const { rows } = await pool.query<{ id: string }>(
              'select id from work where processed = 0 order by id limit $1',
              [limit],
            );
            return rows.map(({ id }) => ({ id, key: id }));
          },
        },
        processed: async () => {
          const { rows } = await pool.query<{ id: string }>('select id from work where processed = 1 order by id');
          return rows.map(({ id }) => id);
        },
      };
    }

    it('runs acknowledged work after the outage', async () => {
      const work = await keepWork();
      await mongod?.stop();
      const queue = await fixture.started([stepJob(({ id }) => work.process(id))], {
        timing,
        sweepers: [work.sweeper],
      });
      expect(fixture.logged).toEqual(['job_store_unreachable']);
      await work.add('a');
      await expect(queue.tryEnqueue('step', { id: 'a' }, { uniqueKey: 'a' })).resolves.toBe(false);
      await expect(queue.status()).resolves.toEqual({ store: 'mongodb', storeIsUp: false, jobs: [] });
      await mongod?.start();
      await eventually(async () => expect(await work.processed()).toEqual(['a']));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
    });

    it('never repeats a finished job', async () => {
      const held = gate();
      let startedCount = 0;
      let finished = 0;
      const definition = stepJob(async () => {
        startedCount += 1;
        await held.opened;
        finished += 1;
      });
      // The job's lock outlasts the test, so no other process cleans up.
      const queue = await fixture.started([definition], { timing: { ...timing, lockMs: 600_000 } });
      await queue.enqueue('step', { id: 'a' }, { uniqueKey: 'a' });
      await eventually(() => expect(startedCount).toBe(1));
      await mongod?.stop();
      held.open();
      await eventually(async () => expect((await queue.status()).storeIsUp).toBe(false));
      expect(finished).toBe(1);
      await mongod?.start();
      await eventually(async () => {
        expect((await queue.status()).storeIsUp).toBe(true);
        expect(await storedJobs(queue)).toBe(0);
      });
      expect(startedCount).toBe(1);
    });

    it('runs each job, never twice at once', async () => {
      const work = await keepWork();
      const held = gate();
      const running = new Map<string, number>();
      let overlaps = 0;
      const finished: string[] = [];
      const definition = stepJob(async ({ id }) => {
        const beside = (running.get(id) ?? 0) + 1;
        running.set(id, beside);
        if (beside > 1) overlaps += 1;
        if (id === 'running') await held.opened;
        await work.process(id);
        finished.push(id);
        running.set(id, beside - 1);
      });
      const options = { timing, sweepers: [work.sweeper] };
      const queues = await Promise.all([1, 2].map(() => fixture.started([definition], options)));
      const queue = queues[0]!;
      const enqueue = async (id: string): Promise<boolean> => {
        await work.add(id);
        return queue.tryEnqueue('step', { id }, { uniqueKey: id });
      };
      expect(await enqueue('running')).toBe(true);
      await eventually(() => expect(running.get('running')).toBe(1));
      await queue.enqueue('step', { id: 'queued' }, { uniqueKey: 'queued', runAt: new Date(Date.now() + 1500) });

      await mongod?.stop('SIGKILL');
      // The service acknowledges this work while the store is down. The store restarts only below.
      for (const id of ['during 1', 'during 2', 'during 3']) expect(await enqueue(id)).toBe(false);
      // Waits longer than the job's lock, so that the lock has expired when MongoDB is back.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await mongod?.start();

      await eventually(
        async () => expect(await work.processed()).toEqual(['during 1', 'during 2', 'during 3']),
        40_000,
      );
      expect(finished).not.toContain('running');
      held.open();
      await eventually(async () =>
        expect(await work.processed()).toEqual(['during 1', 'during 2', 'during 3', 'running']),
      );
      await eventually(() => expect(finished).toContain('queued'));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
      expect(overlaps).toBe(0);
    });
  },
);
