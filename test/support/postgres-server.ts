import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@healthd/daemon/platform/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@healthd/embedded-postgres';
import { memoryFolder } from './memory-folder.js';
import { runSql } from './run-sql.js';

/** Folders of one run carry the process id of the test runner, so that a later run can tell an abandoned one. */
const FOLDER = /^healthd-tests-(\d+)-/;

/**
 * Runs in the test runner itself, once for all test files. The server starts when the first test asks for a database:
 * test files that need none do not pay for one.
 */
export default async function setup(): Promise<() => Promise<void>> {
  useMemory();
  removeAbandonedFolders();
  const folder = mkdtempSync(join(tmpdir(), `healthd-tests-${process.pid}-`));
  chmodSync(folder, 0o711);
  let server: EmbeddedPostgres | undefined;
  let template: Promise<{ url: string; template: string }> | undefined;

  async function prepare(): Promise<{ url: string; template: string }> {
    let url = process.env.DATABASE_URL_FOR_TESTS;
    if (url === undefined || url === '') {
      server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), durability: 'none' });
      url = server.url;
    }
    const name = `healthd_template_${randomBytes(6).toString('hex')}`;
    await runSql(url, `create database ${name}`);
    const inTemplate = new URL(url);
    inTemplate.pathname = `/${name}`;
    await migrate(inTemplate.href);
    return { url, template: name };
  }

  const socketPath = process.platform === 'win32' ? `\\\\.\\pipe\\healthd-tests-${process.pid}` : join(folder, 'ask');
  const asked = createServer((socket) => {
    socket.on('error', () => undefined);
    template ??= prepare();
    template.then(
      (answer) => socket.end(JSON.stringify(answer)),
      (error: Error) => socket.end(JSON.stringify({ error: error.stack ?? error.message })),
    );
  });
  await new Promise<void>((resolve) => asked.listen(socketPath, resolve));
  asked.unref();
  // Test processes are forked after this and inherit it.
  process.env.HEALTHD_TEST_POSTGRES = socketPath;

  const onExit = () => abandon(folder);
  process.once('exit', onExit);
  return async () => {
    asked.close();
    const prepared = await template?.catch(() => undefined);
    if (prepared !== undefined && server === undefined)
      await runSql(prepared.url, `drop database ${prepared.template}`);
    await server?.stop();
    process.off('exit', onExit);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Puts everything temporary into memory, unless the person says where. Test processes inherit it. */
function useMemory(): void {
  const folder = process.env.TMPDIR === undefined ? memoryFolder() : undefined;
  if (folder !== undefined) process.env.TMPDIR = folder;
}

/** What a test runner that was killed has left: its server and its files. */
function removeAbandonedFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(FOLDER.exec(name)?.[1]);
    if (Number.isInteger(pid) && !runs(pid)) abandon(join(tmpdir(), name));
  }
}

/** Ends the folder's server at once and removes the folder; without waiting, so that it also works at exit. */
function abandon(folder: string): void {
  try {
    const pid = Number(readFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (pid > 0 && runs(pid)) process.kill(pid, 'SIGQUIT');
  } catch {
    // No server was started, or it has ended.
  }
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The server may still be writing; a later run removes the rest.
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
