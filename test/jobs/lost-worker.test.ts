import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceProgram } from '../support/source-program.js';
import { type JobFixture, jobBackEnds } from './job-fixture.js';
import { eventually, sleep, stepJob, storedJobs } from './steps.js';

const { backEnds, close } = await jobBackEnds();
afterAll(close);

const program = await sourceProgram(fileURLToPath(new URL('./doomed-worker.ts', import.meta.url)));

describe.each(backEnds)('a killed worker on $name', ({ missing, open }) => {
  describe.skipIf(missing !== undefined)('', () => {
    let fixture: JobFixture;
    const children: ChildProcess[] = [];
    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(async () => {
      for (const child of children) child.kill('SIGKILL');
      await fixture.close();
    });

    /** Starts a worker process. `said` resolves when the worker prints the line. */
    function startWorker(): { child: ChildProcess; said(line: string): Promise<void> } {
      const child = spawn(process.execPath, [program], {
        env: {
          ...process.env,
          WORKER_POSTGRES: fixture.database.url,
          ...(fixture.mongodbUri && { WORKER_MONGODB: fixture.mongodbUri }),
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      const lines: string[] = [];
      createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line));
      return { child, said: (line) => eventually(() => expect(lines).toContain(line)) };
    }

    it('repeats a job without counting an attempt after the lock expires', async () => {
      const worker = startWorker();
      await worker.said('ready');
      const ran: string[] = [];
      const definition = stepJob(({ id }, { attempt }) => void ran.push(`${id} attempt ${attempt}`));
      const api = await fixture.started([definition], { role: 'api' });
      await api.enqueue('step', { id: 'a' });
      await worker.said('began a');
      const survivor = await fixture.started([definition], { timing: { lockMs: 600, pollMs: 100 } });
      worker.child.kill('SIGKILL');
      await eventually(() => expect(ran).toEqual(['a attempt 1']));
      await eventually(async () => expect(await storedJobs(survivor)).toBe(0));
    });

    it('delays its jobs only until its own lock expires', async () => {
      const worker = startWorker();
      await worker.said('ready');
      const ran: string[] = [];
      const definition = stepJob(({ id }) => void ran.push(id));
      const api = await fixture.started([definition], { role: 'api' });
      await api.enqueue('step', { id: 'keyed' }, { uniqueKey: 'k' });
      await api.enqueue('step', { id: 'plain' });
      await worker.said('began keyed');
      await worker.said('began plain');
      worker.child.kill('SIGKILL');
      await sleep(1100);
      await fixture.started([definition], { timing: { lockMs: 600_000, pollMs: 100 } });
      await eventually(() => expect(ran.sort()).toEqual(['keyed', 'plain']));
      await eventually(async () => expect(await storedJobs(api)).toBe(0));
    });

    it('fails its job permanently if the job has killed five workers', async () => {
      const ran: string[] = [];
      const definition = stepJob(({ id }) => void ran.push(id), {
        onGiveUp: async ({ id }, error) => void ran.push(`${id} given up: ${(error as { code?: string }).code}`),
      });
      const api = await fixture.started([definition], { role: 'api' });
      await api.enqueue('step', { id: 'poison' });
      for (let killed = 0; killed < 5; killed += 1) {
        const { child } = startWorker();
        await eventually(() => expect(child.signalCode).toBe('SIGKILL'));
      }
      await fixture.started([definition], { timing: { lockMs: 600, pollMs: 100 } });
      await eventually(() => expect(ran).toEqual(['poison given up: job_worker_lost']));
      await eventually(async () => expect(await storedJobs(api)).toBe(0));
    });
  });
});
