// Tries every class of credentials on every route of the running service and prints the allowed routes. Exits with 1 if
// a result differs from the route's declaration.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'healthd-matrix-'));
const file = join(folder, 'matrix.txt');
try {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const ran = spawnSync(process.execPath, [vitest, 'run', 'test/api/matrix.test.ts', '--reporter=dot'], {
    cwd: root,
    env: { ...process.env, HEALTHD_MATRIX_FILE: file },
    encoding: 'utf8',
  });
  if (existsSync(file)) process.stdout.write(readFileSync(file, 'utf8'));
  if (ran.status !== 0) process.stderr.write(ran.stdout + ran.stderr);
  process.exitCode = ran.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
