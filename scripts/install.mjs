// Installs the dependencies if they have changed since the last time. Needs only Node and npm.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool, say, ToolFailure } from './checkout.mjs';
import { contentDigest, filesBelow, isStamped, removeStamp, writeStamp } from './stamp.mjs';

/** Inside node_modules, so that deleting that folder also invalidates the installation. */
const stampOf = (what) => join(root, 'node_modules', `.healthd-installed-${what}`);

/**
 * Installs the lockfile's dependencies with the pnpm version pinned in package.json. Does nothing if they are already
 * installed.
 * @param {{ toRun?: boolean }} options `toRun`: omit developer tools, which take longer to install than all other
 * dependencies
 */
export async function ensureInstalled({ toRun = false } = {}) {
  const digest = contentDigest(filesBelow(manifests()));
  if (isStamped(stampOf('all'), digest) || (toRun && isStamped(stampOf('to-run'), digest))) return;
  // Keeps developer tools that are already installed.
  const all = !toRun || existsSync(join(root, 'node_modules/vitest'));
  say('Installing dependencies; the first time takes up to a minute …');
  const begun = performance.now();
  removeStamp(stampOf('all'));
  removeStamp(stampOf('to-run'));
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  const pnpm = ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'];
  if (!all) pnpm.push('--prod');
  // The variable `CI` prevents pnpm prompts that the user would not see.
  const code = await runTool(npx, pnpm, { env: { CI: 'true' } });
  if (code !== 0) throw new ToolFailure('The dependencies could not be installed; the reason is above.');
  // Deletes Vitest's cache. Otherwise Vitest would detect the new lockfile, delete the cache during a write, and fail
  // with ENOENT.
  rmSync(join(root, 'node_modules', '.experimental-vitest-cache'), { recursive: true, force: true });
  writeStamp(stampOf(all ? 'all' : 'to-run'), digest);
  say(`Installed in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
}

function manifests() {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  const folders = ['.', 'cli', 'console', 'daemon', 'test', ...packages];
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...folders.map((folder) => `${folder}/package.json`)];
  return files.map((file) => join(root, file));
}
