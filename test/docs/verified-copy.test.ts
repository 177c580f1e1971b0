import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { writeExport } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFile, newUser } from '../e2e/imports.js';
import { type Daemon, startDaemon } from '../support/daemon.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { PROGRAMS } from '../support/programs.js';
import { publishedClientFolder } from '../support/published-client.js';
import { ROOT } from './documents.js';

const run = promisify(execFile);
const page = readFileSync(join(ROOT, 'docs/verified-copy.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
/** SQL of the page's `psql` commands. */
const statements = [...page.matchAll(/^psql "\$COPY_DATABASE_URL" -c "(.*)"$/gm)].map(([, sql = '']) => sql);
/** Output of the page's commands, by command, in order. */
const transcripts = blocks('console').map((block) => {
  const [, command = '', output = ''] = /^\$ ([^\n]*)\n(.*)$/s.exec(block) ?? [];
  return { command, output };
});

let daemon: Daemon;
let database: TestDatabase;
let folder: string;
let env: Record<string, string>;
let user: string;
let receiver: ChildProcess | undefined;
beforeAll(async () => {
  daemon = await startDaemon();
  database = await createTestDatabase();
  user = await newUser(daemon);
  const file = join(daemon.home.folder, 'export.zip');
  await writeExport(file, { seed: 20, density: 'light', days: 10, endDate: '2026-11-28', timeZone: 'Europe/Warsaw' });
  await importFile(daemon, user, file);
  folder = await publishedClientFolder();
  const pg = dirname(createRequire(import.meta.url).resolve('pg/package.json'));
  await symlink(await realpath(pg), join(folder, 'node_modules/pg'));
  const [copy = '', repair = ''] = blocks('js');
  await writeFile(join(folder, 'copy.js'), copy);
  await writeFile(join(folder, 'repair.js'), repair);
  env = {
    PATH: process.env.PATH ?? '',
    HOME: join(daemon.home.folder, 'home'),
    TERM: 'xterm',
    HEALTHD_URL: daemon.url,
    HEALTHD_API_KEY: daemon.apiKey,
    COPY_DATABASE_URL: database.url,
  };
});
afterAll(async () => {
  receiver?.kill('SIGKILL');
  await daemon?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Replaces IDs, numbers and column widths, which depend on the generated data. */
function shape(output: string): string {
  return output
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d/g, '<day>')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\r/g, '')
    .replaceAll(/ {2,}/g, '  ');
}

/** Runs healthctl on a terminal, as the page's commands do. */
async function onTerminal(command: string): Promise<{ code: number; shown: string }> {
  const words = command.replace(/^npm run -s healthctl --/, `'${process.execPath}' '${PROGRAMS.healthctl}'`);
  const line = `stty cols 120; ${words} --color off`;
  return run('script', ['-qefc', line, '/dev/null'], { env, cwd: folder }).then(
    ({ stdout }) => ({ code: 0, shown: stdout }),
    ({ code, stdout }) => ({ code, shown: stdout }),
  );
}

const verification = (number: number) => transcripts.filter(({ command }) => command.includes('verify'))[number];

async function expectDocumented(number: number, code: number): Promise<void> {
  const { command, output } = verification(number) ?? { command: '', output: '' };
  const ended = await onTerminal(command);
  expect({ code: ended.code, shown: shape(ended.shown) }).toEqual({ code, shown: shape(output) });
}

test('prints the documented line from the receiver', async () => {
  expect(transcripts[0]?.command).toBe('node copy.js');
  receiver = spawn(process.execPath, ['copy.js'], { env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  receiver.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await expect.poll(() => output).toBe(transcripts[0]?.output);
  const complete = async () =>
    (await database.pool.query(`select from healthd.state where is_complete`).catch(() => undefined))?.rowCount;
  await expect.poll(complete).toBe(1);
});

test('the page’s queries return rows of the copy', async () => {
  expect(statements).toHaveLength(3);
  for (const sql of statements.slice(0, 2)) expect((await database.pool.query(sql)).rows.length).toBeGreaterThan(2);
});

test('prints the documented lines of verify before and after a difference', async () => {
  await expectDocumented(0, 0);
  expect((await database.pool.query(statements[2] ?? '')).rowCount).toBe(1);
  await expectDocumented(1, 1);
  await run(process.execPath, ['repair.js', user], { env, cwd: folder });
  await expectDocumented(2, 0);
});

test('ends the receiver on Ctrl-C', async () => {
  const ended = once(receiver as ChildProcess, 'exit');
  receiver?.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});
