// Installs the dependencies when they have changed since the last time. Needs Node and npm, nothing else.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool, say, ToolFailure } from './checkout.mjs';
import { contentDigest, filesBelow, isStamped, removeStamp, writeStamp } from './stamp.mjs';

/** Inside node_modules, so that deleting that folder also forgets the installation. */
const stampOf = (what) => join(root, 'node_modules', `.healthd-installed-${what}`);

/**
 * Installs what the lockfile says with the pnpm that package.json pins. Does nothing when that is already there.
 * @param {{ toRun?: boolean }} options `toRun`: without the tools of developers, which take longer than all else together
 */
export async function ensureInstalled({ toRun = false } = {}) {
  const digest = contentDigest(filesBelow(manifests()));
  if (isStamped(stampOf('all'), digest) || (toRun && isStamped(stampOf('to-run'), digest))) return;
  // Whoever has the tools keeps them.
  const all = !toRun || existsSync(join(root, 'node_modules/vitest'));
  say('Installing dependencies; the first time takes up to a minute …');
  const begun = performance.now();
  removeStamp(stampOf('all'));
  removeStamp(stampOf('to-run'));
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  const pnpm = ['--yes', packageManager, 'install', '--frozen-lockfile', '--reporter=append-only'];
  if (!all) pnpm.push('--prod');
  // CI: without it pnpm may ask a question that no one sees.
  const code = await runTool(npx, pnpm, { env: { CI: 'true' } });
  if (code !== 0) throw new ToolFailure('The dependencies could not be installed; the reason is above.');
  // Vitest would notice the other lockfile and remove its cache while it is already writing there, and end with ENOENT.
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
