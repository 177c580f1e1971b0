import { MS_PER_HOUR } from '@healthd/model';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JobFixture, jobBackEnds } from './job-fixture.js';
import { eventually, gate, stepJob, storedJobs } from './steps.js';

const { backEnds, close } = await jobBackEnds();
afterAll(close);

/** Delay after a failure. It outlasts the test. */
const SLOW_RETRY = { maxAttempts: 3, firstDelaySeconds: 3_600, factor: 1, maxDelaySeconds: 3_600 };

describe.each(backEnds)('new work for a waiting job on $name', ({ missing, open }) => {
  describe.skipIf(missing !== undefined)('', () => {
    let fixture: JobFixture;
    let attempts: number[];
    beforeEach(async () => {
      fixture = await open();
      attempts = [];
    });
    afterEach(() => fixture.close());

    const failing = (times: number) =>
      stepJob(
        (_step, { attempt }) => {
          attempts.push(attempt);
          if (attempts.length <= times) throw new Error('server error');
        },
        { retry: SLOW_RETRY },
      );
    const enqueue = (queue: Awaited<ReturnType<JobFixture['started']>>) =>
      queue.enqueue('step', { id: 'a' }, { uniqueKey: 'user 1' });
    const waitsForAnHour = () =>
      eventually(async () => {
        const [job] = await fixture.waiting();
        expect(job?.dueMs).toBeGreaterThan(Date.now() + MS_PER_HOUR / 3);
      });

    it('starts the job without using up an attempt', async () => {
      const queue = await fixture.started([failing(2)]);
      await enqueue(queue);
      for (const runs of [1, 2]) {
        await eventually(() => expect(attempts).toHaveLength(runs));
        await waitsForAnHour();
        expect(await enqueue(queue)).toBe('already_queued');
      }
      await eventually(() => expect(attempts).toEqual([1, 1, 1]));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
    });

    it('starts the job from a process that runs no jobs', async () => {
      await fixture.started([failing(1)], { role: 'worker' });
      const api = await fixture.started([failing(0)], { role: 'api' });
      await enqueue(api);
      await eventually(() => expect(attempts).toHaveLength(1));
      await waitsForAnHour();
      expect(await api.tryEnqueue('step', { id: 'a' }, { uniqueKey: 'user 1' })).toBe(true);
      await eventually(() => expect(attempts).toHaveLength(2));
    });

    it('keeps the delay if only the sweeper finds the work again', async () => {
      let swept = 0;
      let isDelayed = false;
      const sweeper = {
        name: 'step',
        findUnqueued: async () => {
          swept += 1;
          // Finds no work during the failed run. Otherwise the work would start soon, as new work does.
          return swept === 1 || isDelayed ? [{ id: 'a', key: 'user 1' }] : [];
        },
      };
      await fixture.started([failing(1)], { sweepers: [sweeper] });
      await eventually(() => expect(attempts).toHaveLength(1));
      await waitsForAnHour();
      isDelayed = true;
      const before = swept;
      await eventually(() => expect(swept).toBeGreaterThan(before + 3));
      expect(attempts).toHaveLength(1);
    });

    it('runs soon after a failed run if it arrived during that run', async () => {
      const first = gate();
      const queue = await fixture.started([
        stepJob(
          async (_step, { attempt }) => {
            attempts.push(attempt);
            if (attempts.length > 1) return;
            await first.opened;
            throw new Error('server error');
          },
          { retry: SLOW_RETRY },
        ),
      ]);
      await enqueue(queue);
      await eventually(() => expect(attempts).toHaveLength(1));
      expect(await enqueue(queue)).toBe('queued');
      first.open();
      await eventually(() => expect(attempts).toHaveLength(2));
    });

    it('starts a job that a lost worker claimed and never started', async () => {
      const queue = await fixture.started([failing(0)], { timing: { lockMs: 600_000, beginMs: 500 } });
      const runAt = new Date(Date.now() + MS_PER_HOUR);
      await queue.enqueue('step', { id: 'a' }, { uniqueKey: 'user 1', runAt });
      await fixture.claimWaiting(1_000);
      expect(await enqueue(queue)).toBe('already_queued');
      await eventually(() => expect(attempts).toEqual([1]), 20_000);
    });
  });
});
