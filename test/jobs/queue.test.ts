import { defineJob, RETRY_NEVER } from '@healthd/daemon/platform/jobs';
import { MS_PER_HOUR } from '@healthd/model';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type JobFixture, jobBackEnds } from './job-fixture.js';
import { eventually, gate, type Step, sleep, stepJob, storedJobs } from './steps.js';

/** Payload of a periodic job, which contains no ID. */
const TICK = z.object({ id: z.string().default('') });

const { backEnds, close } = await jobBackEnds();
afterAll(close);

describe.each(backEnds)('jobs on $name', ({ missing, open }) => {
  describe.skipIf(missing !== undefined)('', () => {
    let fixture: JobFixture;
    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(() => fixture.close());

    it('start when enqueued, without polling', async () => {
      const ran: string[] = [];
      const queue = await fixture.started([stepJob(({ id }) => void ran.push(id))]);
      await expect(queue.enqueue('step', { id: 'a' })).resolves.toBe('queued');
      await eventually(() => expect(ran).toEqual(['a']));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
      expect((await queue.status()).jobs[0]?.sinceStart).toEqual({ completed: 1, failed: 0, gaveUp: 0 });
    });

    it('start in a worker when another process enqueues them', async () => {
      const ran: string[] = [];
      await fixture.started([stepJob(({ id }) => void ran.push(id))], { role: 'worker' });
      const api = await fixture.started([stepJob(() => void ran.push('in the api'))], { role: 'api' });
      await api.enqueue('step', { id: 'a' });
      await eventually(() => expect(ran).toEqual(['a']));
    });

    it('run in order of their due time', async () => {
      const ran: string[] = [];
      const definition = stepJob(({ id }) => void ran.push(id), { concurrency: 1 });
      const api = await fixture.started([definition], { role: 'api' });
      const now = Date.now();
      for (const [id, agoMs] of [
        ['second', 200],
        ['third', 100],
        ['first', 300],
      ] as const) {
        await api.enqueue('step', { id }, { runAt: new Date(now - agoMs) });
      }
      await fixture.started([definition], { role: 'worker' });
      await eventually(() => expect(ran).toEqual(['first', 'second', 'third']));
    });

    it('wait until they are due', async () => {
      const ran: number[] = [];
      const queue = await fixture.started([stepJob(() => void ran.push(Date.now()))]);
      const runAt = new Date(Date.now() + 400);
      await queue.enqueue('step', { id: 'later' }, { runAt });
      await eventually(() => expect(ran).toHaveLength(1));
      expect(ran[0]).toBeGreaterThanOrEqual(runAt.getTime());
    });

    it('are rejected with an invalid payload', async () => {
      const queue = await fixture.started([stepJob(() => undefined)]);
      const wrong = { id: 7 } as unknown as Step;
      await expect(queue.enqueue('step', wrong)).rejects.toMatchObject({ code: 'job_payload_invalid' });
      await expect(queue.tryEnqueue('step', wrong)).rejects.toMatchObject({ code: 'job_payload_invalid' });
      expect(await storedJobs(queue)).toBe(0);
    });

    it('wait once per key, however many callers enqueue concurrently', async () => {
      const queue = await fixture.started([stepJob(() => undefined)]);
      const runAt = new Date(Date.now() + MS_PER_HOUR);
      const many = Array.from({ length: 20 }, () => queue.enqueue('step', { id: 'a' }, { uniqueKey: 'user 1', runAt }));
      const results = await Promise.all(many);
      expect(results.filter((result) => result === 'queued')).toHaveLength(1);
      await expect(queue.enqueue('step', { id: 'a' }, { uniqueKey: 'user 2', runAt })).resolves.toBe('queued');
      expect(await storedJobs(queue)).toBe(2);
    });

    it('run again for work that arrives during a run, never concurrently', async () => {
      const first = gate();
      let runs = 0;
      let atOnce = 0;
      let mostAtOnce = 0;
      const queue = await fixture.started([
        stepJob(async () => {
          runs += 1;
          atOnce += 1;
          mostAtOnce = Math.max(mostAtOnce, atOnce);
          if (runs === 1) await first.opened;
          atOnce -= 1;
        }),
      ]);
      await queue.enqueue('step', { id: 'a' }, { uniqueKey: 'user 1' });
      await eventually(() => expect(runs).toBe(1));
      await expect(queue.enqueue('step', { id: 'a' }, { uniqueKey: 'user 1' })).resolves.toBe('queued');
      await sleep(300);
      expect(runs).toBe(1);
      first.open();
      await eventually(() => expect(runs).toBe(2));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
      expect(mostAtOnce).toBe(1);
    });

    it('reach, but never exceed, the concurrency limit of their type', async () => {
      let atOnce = 0;
      let mostAtOnce = 0;
      let done = 0;
      const handler = async (): Promise<void> => {
        atOnce += 1;
        mostAtOnce = Math.max(mostAtOnce, atOnce);
        await sleep(50);
        atOnce -= 1;
        done += 1;
      };
      const queue = await fixture.started([stepJob(handler, { concurrency: 3 })]);
      for (let id = 0; id < 15; id += 1) await queue.enqueue('step', { id: String(id) });
      await eventually(() => expect(done).toBe(15));
      expect(mostAtOnce).toBe(3);
    });

    it("of all types together stay within the process's concurrency limit", async () => {
      let atOnce = 0;
      let mostAtOnce = 0;
      let done = 0;
      const handler = async ({ id }: { id: string }): Promise<void> => {
        atOnce += 1;
        mostAtOnce = Math.max(mostAtOnce, atOnce);
        await sleep(Number(id) % 4);
        atOnce -= 1;
        done += 1;
      };
      const kinds = ['one', 'two', 'three'].map((name) => stepJob(handler, { name }));
      const queue = await fixture.started(kinds, { concurrency: 2 });
      // The jobs are added in rounds. If the queue did not announce free slots, no worker would pick up the last jobs
      // of a round.
      for (let round = 1; round <= 25; round += 1) {
        for (let id = 0; id < 12; id += 1) await queue.enqueue(kinds[id % 3]?.name ?? '', { id: String(id) });
        await eventually(() => expect(done).toBe(round * 12));
      }
      expect(mostAtOnce).toBe(2);
    });

    it('repeat at their interval, in only one process at a time', async () => {
      let runs = 0;
      let atOnce = 0;
      let mostAtOnce = 0;
      const tick = defineJob<Step>({
        name: 'tick',
        payload: TICK,
        concurrency: 1,
        maxDurationSeconds: 10,
        retry: RETRY_NEVER,
        everySeconds: 0.2,
        run: async () => {
          atOnce += 1;
          mostAtOnce = Math.max(mostAtOnce, atOnce);
          await sleep(20);
          atOnce -= 1;
          runs += 1;
          if (runs === 2) throw new Error('one turn fails');
        },
      });
      const timing = { pollMs: 50 };
      const [queue] = await Promise.all([fixture.started([tick], { timing }), fixture.started([tick], { timing })]);
      await eventually(() => expect(runs).toBeGreaterThanOrEqual(5));
      expect(mostAtOnce).toBe(1);
      expect(await storedJobs(queue)).toBe(1);
    });

    it('keep their due time after a restart unless the interval changes', async () => {
      let runs = 0;
      const start = (everySeconds: number) => {
        const run = async () => void runs++;
        const kind = {
          name: 'tick',
          payload: TICK,
          concurrency: 1,
          maxDurationSeconds: 10,
          retry: RETRY_NEVER,
        };
        return fixture.started([defineJob<Step>({ ...kind, everySeconds, run })], { timing: { pollMs: 50 } });
      };
      const dueInAnHour = async () => {
        await eventually(async () => {
          const [due, ...others] = await fixture.waiting();
          expect(others).toEqual([]);
          expect(due?.dueMs).toBeGreaterThan(Date.now() + 1_800_000);
        });
        return fixture.waiting();
      };
      await (await start(3_600)).stop();
      const due = await dueInAnHour();
      await (await start(3_600)).stop();
      expect(await dueInAnHour()).toEqual(due);
      const before = runs;
      const queue = await start(0.1);
      await eventually(() => expect(runs).toBeGreaterThan(before + 2));
      expect(await storedJobs(queue)).toBe(1);
    });

    it('start through the sweeper if never queued', async () => {
      const unprocessed = new Set(Array.from({ length: 40 }, (_, index) => `batch ${index}`));
      const ran: string[] = [];
      const definition = stepJob(({ id }) => {
        if (unprocessed.delete(id)) ran.push(id);
      });
      const sweeper = {
        name: 'step',
        findUnqueued: (limit: number) =>
          Promise.resolve([...unprocessed].slice(0, limit).map((id) => ({ id, key: id }))),
      };
      const queues = await Promise.all([1, 2].map(() => fixture.started([definition], { sweepers: [sweeper] })));
      await eventually(() => expect(ran).toHaveLength(40));
      await eventually(async () => expect(await storedJobs(queues[0]!)).toBe(0));
      expect(new Set(ran).size).toBe(40);
      expect(fixture.logged).toEqual([]);
    });

    it('run when several processes start concurrently on an empty store', async () => {
      const ran: string[] = [];
      const definition = stepJob(({ id }) => void ran.push(id));
      const queues = await Promise.all([1, 2, 3, 4].map(() => fixture.started([definition])));
      await Promise.all(queues.map((queue, index) => queue.enqueue('step', { id: String(index) })));
      await eventually(() => expect(ran.toSorted()).toEqual(['0', '1', '2', '3']));
      expect(fixture.logged).toEqual([]);
    });

    it('do not start with a duplicate name or a sweeper without definition', async () => {
      const twice = fixture.queue([stepJob(() => undefined), stepJob(() => undefined)]);
      await expect(twice.start()).rejects.toMatchObject({
        code: 'job_registry_invalid',
        detail: 'step is defined twice',
      });
      const sweeper = { name: 'import', findUnqueued: async () => [] };
      const none = fixture.queue([stepJob(() => undefined)], { sweepers: [sweeper] });
      await expect(none.start()).rejects.toMatchObject({ code: 'job_registry_invalid' });
    });

    it('run again after the end if they request a rerun', async () => {
      const ran: string[] = [];
      const queue = await fixture.started([
        stepJob(async ({ id, key }, { again }) => {
          ran.push(id);
          if (ran.length === 1) expect(await again({ id: 'b', key })).toBe(true);
          await sleep(50);
          ran.push(`${id} ended`);
        }),
      ]);
      await queue.enqueue('step', { id: 'a' }, { uniqueKey: 'user 1' });
      await eventually(() => expect(ran).toEqual(['a', 'a ended', 'b', 'b ended']));
    });
  });
});
