import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DaemonHome, newHome } from '../support/daemon.js';
import { createTestDatabase } from '../support/postgres.js';
import { BUILT } from '../support/programs.js';

const KEY = Buffer.alloc(32, 7).toString('base64');

/**
 * Starts the service on a terminal, sends a request and presses Ctrl-C. Returns the screen's content and the log file.
 */
async function onTerminal(home: DaemonHome, settings: Record<string, string>): Promise<{ shown: string; log: string }> {
  const { PATH = '' } = process.env;
  const child = spawn('script', ['-qefc', `'${process.execPath}' '${BUILT.healthd}'`, '/dev/null'], {
    cwd: home.folder,
    env: {
      PATH,
      HOME: join(home.folder, 'home'),
      TERM: 'xterm',
      DATA_DIR: home.dataDir,
      PORT: '0',
      METRICS_PORT: '0',
      SECRET_KEY: KEY,
      SIGNING_KEY: KEY,
      ENCRYPTION_KEY: KEY,
      ...settings,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const ended = once(child, 'close');
  const file = join(home.dataDir, 'healthd.log');
  try {
    await expect.poll(() => shown).toMatch(/ {2}Log {7}[^\n]*\n/);
    const [, api = ''] = / {2}API {7}(\S+)/.exec(shown) ?? [];
    const id = randomUUID();
    await fetch(`${api}/users`, { headers: { 'x-request-id': id } });
    await expect.poll(() => readFileSync(file, 'utf8')).toContain(id);
  } finally {
    child.stdin.write('\x03');
    await ended;
  }
  return { shown, log: readFileSync(file, 'utf8') };
}

test('keeps the first-start box visible by logging to a file', async () => {
  const database = await createTestDatabase();
  const home = newHome();
  const settings = { DATABASE_URL: database.url };
  try {
    const quiet = await onTerminal(home, settings);
    expect(quiet.shown).toContain('First start.');
    expect(quiet.shown).toContain(`  Log       ${join(home.dataDir, 'healthd.log')}, with every request`);
    expect(quiet.shown).not.toContain('GET /api/v1/users');
    expect(quiet.log).toContain('GET /api/v1/users 401');
    const [, password = 'no password'] = / {2}Password {2}(\S+)/.exec(quiet.shown) ?? [];
    expect(quiet.log).not.toContain(password);

    const logged = await onTerminal(home, { ...settings, LOG_REQUESTS: 'true' });
    expect(logged.shown).toContain('GET /api/v1/users 401');
  } finally {
    await database.drop();
  }
});
