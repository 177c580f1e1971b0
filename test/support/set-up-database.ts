import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callTestRunner } from './call-test-runner.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);

/**
 * Copies a prepared database into a new data directory, for tests that do not test the first start. Setting up a
 * database takes half of a start's processor time.
 */
export async function setUpDatabase(dataDir: string): Promise<void> {
  const made = (await callTestRunner('data directory')).dataDir;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Keeps the owner of the files, which is another account if the tests run as root.
  await run('cp', ['-a', join(made, 'postgres'), dataDir]);
  const connection = JSON.parse(await readFile(join(made, 'postgres.json'), 'utf8'));
  await writeFile(join(dataDir, 'postgres.json'), JSON.stringify({ ...connection, port: await freePort() }), {
    mode: 0o600,
  });
}
