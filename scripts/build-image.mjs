// Installs, builds and gathers what a container image runs: `node scripts/build-image.mjs <folder>`.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const target = process.argv[2];
if (!target) {
  console.error('usage: node scripts/build-image.mjs <folder>');
  process.exit(2);
}

const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pnpm = (...args) =>
  execFileSync('npx', ['--yes', packageManager, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CI: 'true' },
  });

pnpm('install', '--frozen-lockfile');
execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' });
for (const [name, folder] of [
  ['@healthd/daemon', 'daemon'],
  ['@healthd/cli', 'cli'],
]) {
  // The embedded server's binaries are optional dependencies: an image talks to a real server.
  pnpm('--filter', name, 'deploy', '--legacy', '--prod', '--no-optional', resolve(target, folder));
}
if (existsSync(join(root, 'console/dist')))
  cpSync(join(root, 'console/dist'), join(resolve(target), 'console/dist'), { recursive: true });
