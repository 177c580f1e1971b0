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

    /** Breaks the connections of this database that the condition on pg_stat_activity selects; says how many. */
    async function breakConnections(condition: string): Promise<number> {
      const { rowCount } = await fixture.database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
      );
      return rowCount ?? 0;
    }

    it('broken connections to Postgres stop a job that has lost its run lock, and it is tried again', async () => {
      const attempts: number[] = [];
      const reasons: unknown[] = [];
      const queue = await fixture.started([
        stepJob(async (_step, { attempt, signal }) => {
          attempts.push(attempt);
          if (attempt > 1) return;
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        }),
      ]);
      await queue.enqueue('step', { id: 'a' });
      await eventually(() => expect(attempts).toEqual([1]));
      reasons.push(await breakConnections(`query like '%pg_try_advisory_lock%'`));
      await eventually(() => expect(attempts).toEqual([1, 2]));
      await eventually(async () => expect(await storedJobs(queue)).toBe(0));
      expect(reasons).toEqual([1]);
    });

    it('broken connections to Postgres delay jobs by no more than the time it takes to connect again', async () => {
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

  it('a run lock is held by one at a time, and free again when its work has failed', async () => {
    const { pool } = fixture.database;
    const first = gate();
    const begun = gate();
    const failing = withRunLock(pool, 'user 1', async () => {
      begun.open();
      await first.opened;
      throw new Error('the work fails');
    });
    await begun.opened;
    await expect(withRunLock(pool, 'user 1', async () => 'beside')).resolves.toEqual({ held: false });
    await expect(withRunLock(pool, 'user 2', async () => 'other')).resolves.toEqual({ held: true, value: 'other' });
    first.open();
    await expect(failing).rejects.toThrow('the work fails');
    await expect(withRunLock(pool, 'user 1', async () => 'after')).resolves.toEqual({ held: true, value: 'after' });
  });
});

describe('a deletion that fails while the store is there', () => {
  let fixture: JobFixture;
  beforeEach(async () => {
    fixture = await backEnds[0]!.open();
  });
  afterEach(() => fixture.close());

  it('a finished job whose deletion failed without an outage is deleted later and not run again', async () => {
    const { pool } = fixture.database;
    const held = gate();
    let begun = 0;
    const definition = stepJob(async () => {
      begun += 1;
      await held.opened;
    });
    // Its lock outlasts the test, so that nothing else clears it away.
    const queue = await fixture.started([definition], { timing: { lockMs: 600_000 } });
    await queue.enqueue('step', { id: 'a' });
    await eventually(() => expect(begun).toBe(1));
    // A sequence counts what is rolled back, too.
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
    expect(begun).toBe(1);
  });
});
