import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@healthd/daemon/platform/database';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@healthd/embedded-postgres';
import { memoryFolder } from './memory-folder.js';
import { runSql } from './run-sql.js';

/** Folder names contain the process ID of the test runner, so that a later run recognizes abandoned folders. */
const FOLDER = /^healthd-tests-(\d+)-/;

/** Resources that test files may request from the test runner. */
export interface Answers {
  /** A server, and the name of a migrated database to copy. */
  database: { url: string; template: string };
  /** A data directory to copy: a stopped cluster with a migrated empty database. */
  'data directory': { dataDir: string };
}

/**
 * Runs once in the test runner for all test files. Creates resources when the first test file requests them, so that
 * tests without a database do not wait for a server.
 */
export default async function setup(): Promise<() => Promise<void>> {
  useMemory();
  removeAbandonedFolders();
  const folder = mkdtempSync(join(tmpdir(), `healthd-tests-${process.pid}-`));
  chmodSync(folder, 0o711);
  let server: EmbeddedPostgres | undefined;
  let template: Promise<Answers['database']> | undefined;
  let dataDirectory: Promise<Answers['data directory']> | undefined;

  async function prepareDatabase(): Promise<Answers['database']> {
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
    // Otherwise the first reader of each copy marks the rows of the system catalog as committed.
    await runSql(inTemplate.href, 'vacuum (freeze)');
    return { url, template: name };
  }

  async function prepareDataDirectory(): Promise<Answers['data directory']> {
    const dataDir = join(folder, 'set-up');
    const made = await startEmbeddedPostgres({ dataDir, durability: 'none' });
    await migrate(made.url).finally(() => made.stop());
    return { dataDir };
  }

  function prepared(question: string): Promise<Answers[keyof Answers]> {
    if (question === 'data directory') {
      dataDirectory ??= prepareDataDirectory();
      return dataDirectory;
    }
    template ??= prepareDatabase();
    return template;
  }

  const socketPath = process.platform === 'win32' ? `\\\\.\\pipe\\healthd-tests-${process.pid}` : join(folder, 'ask');
  const requestServer = createServer({ allowHalfOpen: true }, (socket) => {
    let question = '';
    socket.setEncoding('utf8').on('data', (part) => {
      question += part;
    });
    socket.on('error', () => undefined);
    socket.on('end', () =>
      prepared(question).then(
        (response) => socket.end(JSON.stringify(response)),
        (error: Error) => socket.end(JSON.stringify({ error: error.stack ?? error.message })),
      ),
    );
  });
  await new Promise<void>((resolve) => requestServer.listen(socketPath, resolve));
  requestServer.unref();
  // Test processes are forked later and inherit this variable.
  process.env.HEALTHD_TEST_POSTGRES = socketPath;

  const onExit = () => abandon(folder);
  process.once('exit', onExit);
  return async () => {
    requestServer.close();
    const made = await template?.catch(() => undefined);
    if (made !== undefined && server === undefined) await runSql(made.url, `drop database ${made.template}`);
    await server?.stop();
    process.off('exit', onExit);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Puts temporary files into memory, unless the user has configured a folder. Test processes inherit the setting. */
function useMemory(): void {
  const folder = process.env.TMPDIR === undefined ? memoryFolder() : undefined;
  if (folder !== undefined) process.env.TMPDIR = folder;
}

/** Removes the server and the files of a killed test runner. */
function removeAbandonedFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(FOLDER.exec(name)?.[1]);
    if (Number.isInteger(pid) && !runs(pid)) abandon(join(tmpdir(), name));
  }
}

/** Stops the folder's server immediately and removes the folder. Synchronous, so that it also works at exit. */
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
    // The server may still be writing. A later run removes the rest.
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
