import { withRunLock } from '@healthd/daemon/platform/jobs';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JobFixture, jobBackEnds } from './job-fixture.js';
import { eventually, gate, stepJob, storedJobs } from './steps.js';

const { backEnds, close } = await jobBackEnds();
afterAll(close);

describe.each(backEnds)('broken connections to Postgres, jobs on $name', ({ missing, open }) => {
  describe.skipIf(missing !== undefined)('', () => {
    let fixture: JobFixture;
    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(() => fixture.close());

    /** Terminates the connections to this database that match a condition on pg_stat_activity. Returns their number. */
    async function breakConnections(condition: string): Promise<number> {
      const { rowCount } = await fixture.database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
      );
      return rowCount ?? 0;
    }

    const RUN_LOCKS = `query like '%pg_try_advisory_lock%'`;
    /** The job has one attempt, so a counted failure ends it. */
    const once = { retry: { maxAttempts: 1, firstDelaySeconds: 0, factor: 1, maxDelaySeconds: 0 } };

    it('cause a rerun without a counted attempt after a lost run lock', async () => {
      const attempts: number[] = [];
      const queue = await fixture.started([
        stepJob(async (_step, { attempt, signal }) => {
          attempts.push(attempt);
          if (attempts.length > 1) return;
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        }, once),
      ]);
      await queue.enqueue('step', { id: 'a' });
      await eventually(() => expect(attempts).toEqual([1]));
      expect(await breakConnections(RUN_LOCKS)).toBe(1);
      await eventually(() => expect(attempts).toEqual([1, 1]));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
      expect((await queue.status()).jobs[0]?.sinceStart).toEqual({ completed: 1, failed: 0, gaveUp: 0 });
    });

    it('cost no attempt if the job fails before detecting its lost lock', async () => {
      const attempts: number[] = [];
      const queue = await fixture.started([
        stepJob(async (_step, { attempt }) => {
          attempts.push(attempt);
          if (attempts.length > 1) return;
          await breakConnections(RUN_LOCKS);
          throw new Error('one of the statements of the job failed first');
        }, once),
      ]);
      await queue.enqueue('step', { id: 'a' });
      await eventually(() => expect(attempts).toEqual([1, 1]));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
    });

    it("cost no attempt if they interrupt the job's own query", async () => {
      const attempts: number[] = [];
      const queue = await fixture.started([
        stepJob(async (_step, { attempt }) => {
          attempts.push(attempt);
          if (attempts.length > 1) return;
          const breaks = eventually(async () =>
            expect(await breakConnections(`query = 'select pg_sleep(30)'`)).toBe(1),
          );
          await Promise.all([fixture.database.pool.query('select pg_sleep(30)'), breaks]);
        }, once),
      ]);
      await queue.enqueue('step', { id: 'a' });
      await eventually(() => expect(attempts).toEqual([1, 1]));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
    });

    it('do not prevent later jobs from starting if the listener broke', async () => {
      const ran: string[] = [];
      const queue = await fixture.started([stepJob(({ id }) => void ran.push(id))]);
      expect(await breakConnections(`query like 'listen%'`)).toBe(1);
      await queue.enqueue('step', { id: 'a' });
      await eventually(() => expect(ran).toEqual(['a']));
    });
  });
});

describe('a run lock', () => {
  let fixture: JobFixture;
  beforeEach(async () => {
    fixture = await backEnds[0]!.open();
  });
  afterEach(() => fixture.close());

  it('is released when its work fails', async () => {
    const { pool } = fixture.database;
    const first = gate();
    const started = gate();
    const failing = withRunLock(pool, 'user 1', async () => {
      started.open();
      await first.opened;
      throw new Error('the work fails');
    });
    await started.opened;
    await expect(withRunLock(pool, 'user 1', async () => 'beside')).resolves.toEqual({ held: false });
    await expect(withRunLock(pool, 'user 2', async () => 'other')).resolves.toMatchObject({
      held: true,
      value: 'other',
    });
    first.open();
    await expect(failing).rejects.toThrow('the work fails');
    await expect(withRunLock(pool, 'user 1', async () => 'after')).resolves.toMatchObject({
      held: true,
      value: 'after',
    });
  });
});

describe('a slow job store', () => {
  let fixture: JobFixture;
  beforeEach(async () => {
    fixture = await backEnds[0]!.open();
  });
  afterEach(() => fixture.close());

  it('runs a job even if its claim outlasts its lock', async () => {
    const { pool } = fixture.database;
    const ran: string[] = [];
    const definition = stepJob(({ id }) => void ran.push(id));
    const queue = await fixture.started([definition], { concurrency: 1, timing: { lockMs: 200, pollMs: 100 } });
    await pool.query(`create function claim_slowly() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.4); return new; end $$;
      create trigger claim_slowly before update on agenda_jobs for each row
        when (old.locked_at is null and new.locked_at is not null) execute function claim_slowly()`);
    await queue.enqueue('step', { id: 'a' });
    await eventually(() => expect(ran).toContain('a'), 20_000);
  });

  it('delays only a job whose start the store rejects', async () => {
    const { pool } = fixture.database;
    const ran: string[] = [];
    // The claim's lock outlasts the test.
    const timing = { lockMs: 600_000, beginMs: 200 };
    const queue = await fixture.started([stepJob(({ id }) => void ran.push(id))], { concurrency: 1, timing });
    await pool.query(`create sequence refused;
      create function refuse() returns trigger language plpgsql as
        $$ begin perform nextval('refused'); raise exception 'no beginning now'; end $$;
      create trigger refuse before update on agenda_jobs for each row when (new.next_run_at is null) execute function refuse()`);
    await queue.enqueue('step', { id: 'a' });
    await eventually(async () =>
      expect((await pool.query('select is_called from refused')).rows).toEqual([{ is_called: true }]),
    );
    await pool.query('drop trigger refuse on agenda_jobs');
    await eventually(() => expect(ran).toEqual(['a']), 20_000);
    await eventually(async () => expect(await storedJobs(queue)).toBe(0));
  });
});

describe('a failed deletion while the store responds', () => {
  let fixture: JobFixture;
  beforeEach(async () => {
    fixture = await backEnds[0]!.open();
  });
  afterEach(() => fixture.close());

  it('is repeated later without running the job again', async () => {
    const { pool } = fixture.database;
    const held = gate();
    let startedCount = 0;
    const definition = stepJob(async () => {
      startedCount += 1;
      await held.opened;
    });
    // The job's lock outlasts the test, so no other process removes the job.
    const queue = await fixture.started([definition], { timing: { lockMs: 600_000 } });
    await queue.enqueue('step', { id: 'a' });
    await eventually(() => expect(startedCount).toBe(1));
    // A sequence also counts rolled-back attempts.
    await pool.query(`create sequence refused;
      create function refuse() returns trigger language plpgsql as
        $$ begin perform nextval('refused'); raise exception 'no deletion now'; end $$;
      create trigger refuse before delete on agenda_jobs for each row execute function refuse()`);
    held.open();
    await eventually(async () =>
      expect((await pool.query('select is_called from refused')).rows).toEqual([{ is_called: true }]),
    );
    await pool.query('drop trigger refuse on agenda_jobs');
    await eventually(async () => expect(await storedJobs(queue)).toBe(0));
    expect(startedCount).toBe(1);
  });
});
