import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listUsers, login } from '@healthd/contract';
import { describe, expect, it } from 'vitest';
import {
  type Beginning,
  launchDaemon,
  type DaemonHome,
  inDatabase,
  newHome,
  postgresPid,
  runHealthd,
  startDaemon,
} from '../support/daemon.js';
import { newUser } from './imports.js';

describe('a first start that does not complete', () => {
  it.each<[string, (start: Beginning, home: DaemonHome) => boolean | Promise<boolean>]>([
    ['while the database is set up', ({ output }) => output.stderr.includes('Setting up a Postgres')],
    [
      'while the files of the database are written',
      (_, { dataDir }) => existsSync(join(dataDir, 'postgres.unfinished', 'PG_VERSION')),
    ],
    ['while Postgres starts', (_, { dataDir }) => existsSync(join(dataDir, 'postgres', 'postmaster.pid'))],
    ['while the schema is created', hasDeveloperTable],
  ])('interrupted by Ctrl-C %s can be repeated', async (_, moment) => {
    const home = newHome();
    const start = launchDaemon({ home });
    await until(() => moment(start, home));
    start.interrupt();
    expect(await start.ended).toEqual({ code: 0, signal: null });
    expect(start.output.stderr).toContain('Stopping;');
    expect(postgresPid(home), 'the database').toBeUndefined();
    const files = await readdir(home.dataDir);
    expect(files).not.toContain('postgres.unfinished');
    expect(files).not.toContain('postgres.password');
    if (!start.output.stdout.includes('First start')) await expectFirstStart(home);
  });

  it('that fails after creating an account is followed by another first start', async () => {
    const home = newHome();
    const file = join(home.folder, 'not-a-folder');
    await writeFile(file, '');
    const failed = await runHealthd(home, [], { SPOOL_DIR: join(file, 'spool') });
    expect(failed.code).toBe(1);
    expect(failed.stdout).not.toContain('First start');
    await expectFirstStart(home);
  });

  it('shows a working account before the kill or in the next start', async () => {
    const home = newHome();
    const start = launchDaemon({ home });
    await until(() => hasDeveloper(home));
    start.kill9();
    await start.ended;
    if (!start.output.stdout.includes('First start')) await expectFirstStart(home);
  });
});

describe('an embedded database that crashes', () => {
  it('ends the service with code 1 after three restarts', async () => {
    const daemon = await startDaemon();
    const { home } = daemon;
    const users: string[] = [await newUser(daemon)];
    for (let restart = 1; restart <= 3; restart++) {
      const pid = postgresPid(home) ?? 0;
      process.kill(pid, 'SIGKILL');
      await expect
        .poll(async () => {
          const now = postgresPid(home);
          const ready = await fetch(`${daemon.url}/health/ready`).catch((error: unknown) => error);
          if (now !== undefined && now !== pid && ready instanceof Response && ready.ok)
            return 'ready with another process';
          const state = ready instanceof Response ? `${ready.status} ${await ready.text()}` : String(ready);
          return [pid, now, state, daemon.output.stderr.slice(-2_000)].join('\n');
        })
        .toBe('ready with another process');
      users.push(await newUser(daemon));
      expect((await daemon.client.call(listUsers, {})).items).toHaveLength(users.length);
    }
    process.kill(postgresPid(home) ?? 0, 'SIGKILL');
    expect(await daemon.ended).toEqual({ code: 1, signal: null });
    expect(daemon.output.stderr).toContain('embedded_database_lost');
    const next = await startDaemon({ home });
    expect((await next.client.call(listUsers, {})).items).toHaveLength(users.length);
    await next.stop();
  });
});

async function expectFirstStart(home: DaemonHome): Promise<void> {
  const daemon = await startDaemon({ home });
  try {
    expect(daemon.output.stdout).toContain('First start.');
    const { email, password } = daemon;
    expect((await daemon.client.call(login, { body: { username: email, password } })).access_token).toBeTruthy();
    expect((await daemon.client.call(listUsers, {})).items).toEqual([]);
  } finally {
    await daemon.stop();
  }
}

function hasDeveloperTable(_: Beginning, home: DaemonHome): Promise<boolean> {
  return answers(home, `select to_regclass('developer') is not null as yes`);
}

function hasDeveloper(home: DaemonHome): Promise<boolean> {
  return answers(home, 'select count(*) > 0 as yes from developer');
}

/** True if the query returns true. False if the database or the table does not exist. */
async function answers(home: DaemonHome, question: string): Promise<boolean> {
  try {
    return await inDatabase(home, async (pool) => (await pool.query<{ yes: boolean }>(question)).rows[0]?.yes === true);
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 120_000; !(await condition()); ) {
    if (Date.now() > deadline) throw new Error('what was waited for never came');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
