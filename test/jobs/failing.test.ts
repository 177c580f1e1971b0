import type { JobRetry } from '@healthd/daemon/platform/jobs';
import { MS_PER_HOUR } from '@healthd/model';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JobFixture, jobBackEnds } from './job-fixture.js';
import { eventually, gate, sleep, stepJob, storedJobs } from './steps.js';

const { backEnds, close } = await jobBackEnds();
afterAll(close);

class VendorAway extends Error {
  readonly code = 'vendor_away';
}

describe.each(backEnds)('a job queue on $name', ({ missing, open }) => {
  describe.skipIf(missing !== undefined)('', () => {
    let fixture: JobFixture;
    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(() => fixture.close());

    it('retries a failing job with a growing delay until success', async () => {
      const tries: { attempt: number; at: number }[] = [];
      const queue = await fixture.started([
        stepJob((_step, { attempt }) => {
          tries.push({ attempt, at: Date.now() });
          if (attempt < 3) throw new VendorAway('try 1 and 2 fail');
        }),
      ]);
      await queue.enqueue('step', { id: 'a' });
      await eventually(() => expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3]));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
      const [first, second, third] = tries.map(({ at }) => at) as [number, number, number];
      expect(second - first).toBeGreaterThanOrEqual(50);
      expect(third - second).toBeGreaterThanOrEqual(100);
      expect((await queue.status()).jobs[0]?.sinceStart).toEqual({ completed: 1, failed: 2, gaveUp: 0 });
    });

    it('reports each failed attempt and its retry despite a failing listener', async () => {
      const reported: JobRetry[] = [];
      const starts: number[] = [];
      const queue = await fixture.started([
        stepJob(
          (_step, { attempt }) => {
            starts.push(Date.now());
            if (attempt < 3) throw new VendorAway('try 1 and 2 fail');
          },
          {
            onRetry: async (step, retry) => {
              expect(step).toEqual({ id: 'a' });
              reported.push(retry);
              throw new Error('the listener failed');
            },
          },
        ),
      ]);
      await queue.enqueue('step', { id: 'a' });
      await eventually(async () => expect([starts.length, await storedJobs(queue)]).toEqual([3, 0]));
      expect(reported).toMatchObject([
        { attempt: 2, maxAttempts: 3, cause: 'failed' },
        { attempt: 3, maxAttempts: 3, cause: 'failed' },
      ]);
      for (const [index, { at }] of reported.entries()) {
        expect(starts[index + 1]).toBeGreaterThanOrEqual(at.getTime() - 1);
      }
    });

    it('fails a job permanently once, with the last error', async () => {
      const abandoned: unknown[] = [];
      let tries = 0;
      const queue = await fixture.started([
        stepJob(
          () => {
            tries += 1;
            throw new VendorAway(`try ${tries}`);
          },
          { onGiveUp: async (step, error) => void abandoned.push([step, error.message]) },
        ),
      ]);
      await queue.enqueue('step', { id: 'a' });
      await eventually(() => expect(abandoned).toEqual([[{ id: 'a' }, 'try 3']]));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
      expect(tries).toBe(3);
      expect(fixture.logged).toContain('job_given_up');
    });

    it('fails a job permanently after its last attempt despite requeued work', async () => {
      let runs = 0;
      const runsAtGiveUp: number[] = [];
      const queue = await fixture.started([
        stepJob(
          async ({ id }) => {
            runs++;
            await queue.enqueue('step', { id }, { uniqueKey: id });
            await sleep(50);
            throw new VendorAway('always');
          },
          { onGiveUp: async () => void runsAtGiveUp.push(runs) },
        ),
      ]);
      await queue.enqueue('step', { id: 'a' }, { uniqueKey: 'a' });
      await eventually(() => expect(runsAtGiveUp.length).toBeGreaterThan(0));
      // Three attempts are expected. Jobs that were queued during them may start before the test counts.
      expect(runsAtGiveUp[0]).toBeGreaterThanOrEqual(3);
      expect(runsAtGiveUp[0]).toBeLessThanOrEqual(6);
    });

    it('keeps the due time of a requeued job after a failure', async () => {
      const first = gate();
      let runs = 0;
      const queue = await fixture.started([
        stepJob(
          async () => {
            runs += 1;
            await first.opened;
            throw new VendorAway('always');
          },
          { retry: { maxAttempts: 10, firstDelaySeconds: 0.1, factor: 1, maxDelaySeconds: 1 } },
        ),
      ]);
      await queue.enqueue('step', { id: 'a' }, { uniqueKey: 'a' });
      await eventually(() => expect(runs).toBe(1));
      const runAt = new Date(Date.now() + MS_PER_HOUR);
      await queue.enqueue('step', { id: 'a' }, { uniqueKey: 'a', runAt });
      await fixture.setWaitingFailures(7);
      first.open();
      await eventually(async () => expect(await fixture.waiting()).toEqual([{ failures: 8, dueMs: runAt.getTime() }]));
      expect(runs).toBe(1);
    });

    it('fails even unresponsive jobs after their maximum time', async () => {
      const hung = gate();
      const reasons: unknown[] = [];
      const abandoned: string[] = [];
      const queue = await fixture.started([
        stepJob(
          async ({ id }, { signal }) => {
            signal.addEventListener('abort', () => reasons.push((signal.reason as { code: string }).code));
            if (id === 'deaf') await hung.opened;
            else await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          },
          {
            maxDurationSeconds: 0.2,
            retry: { maxAttempts: 1, firstDelaySeconds: 0, factor: 1, maxDelaySeconds: 0 },
            onGiveUp: async ({ id }, error) => void abandoned.push(`${id} ${(error as { code?: string }).code}`),
          },
        ),
      ]);
      await queue.enqueue('step', { id: 'listening' });
      await queue.enqueue('step', { id: 'deaf' });
      await eventually(() => expect(abandoned.toSorted()).toEqual(['deaf job_too_long', 'listening job_too_long']));
      expect(reasons).toEqual(['job_too_long', 'job_too_long']);
      hung.open();
    });

    it('never takes jobs from a living worker, however long they run', async () => {
      const ran: string[] = [];
      const timing = { lockMs: 600, pollMs: 50 };
      const worker = (name: string) =>
        stepJob(async () => {
          ran.push(name);
          await sleep(2000);
        });
      const queues = await Promise.all(['one', 'two'].map((name) => fixture.started([worker(name)], { timing })));
      await queues[0]?.enqueue('step', { id: 'long' });
      await sleep(1500);
      expect(ran).toHaveLength(1);
      await eventually(async () => expect(await storedJobs(queues[0]!)).toBe(0));
      expect(ran).toHaveLength(1);
    });

    it('requeues jobs that outlast a stop, without counting an attempt', async () => {
      const attempts: number[] = [];
      const first = await fixture.started([
        stepJob(async (_step, { signal, attempt }) => {
          attempts.push(attempt);
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        }),
      ]);
      await first.enqueue('step', { id: 'a' });
      await eventually(() => expect(attempts).toEqual([1]));
      await first.stop(0.1);
      const second = await fixture.started([stepJob((_step, { attempt }) => void attempts.push(attempt))]);
      await eventually(() => expect(attempts).toEqual([1, 1]));
      await eventually(async () => expect(await storedJobs(second)).toBe(0));
    });

    it('requeues jobs that ignore a stop without waiting for their end', async () => {
      const attempts: number[] = [];
      const hung = gate();
      const timing = { graceMs: 60_000, stopGraceMs: 100 };
      const deaf = stepJob(async (_step, { attempt }) => {
        attempts.push(attempt);
        await hung.opened;
      });
      const first = await fixture.started([deaf], { timing });
      await first.enqueue('step', { id: 'a' });
      await eventually(() => expect(attempts).toEqual([1]));
      await first.stop(0.1);
      hung.open();
      await fixture.started([stepJob((_step, { attempt }) => void attempts.push(attempt))]);
      await eventually(() => expect(attempts).toEqual([1, 1]));
    });

    it('finishes running jobs before a stop', async () => {
      const ran: string[] = [];
      const started = gate();
      const first = await fixture.started([
        stepJob(async ({ id }) => {
          started.open();
          await sleep(400);
          ran.push(id);
        }),
      ]);
      await first.enqueue('step', { id: 'a' });
      await started.opened;
      await first.stop();
      expect(ran).toEqual(['a']);
      const second = await fixture.started([stepJob(({ id }) => void ran.push(`${id} again`))]);
      expect(await storedJobs(second)).toBe(0);
      expect(ran).toEqual(['a']);
    });
  });
});
