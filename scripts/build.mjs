// `npm run build`: transpiles the service and bundles the console. Other scripts only build changed parts.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleHealthctl } from './bundle-healthctl.mjs';
import { main, root, runTool, say, ToolFailure, withProgress } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { contentDigest, filesBelow, isStamped, removeStamp, writeStamp } from './stamp.mjs';

const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
const packageSources = packages.flatMap((folder) => [`${folder}/src`, `${folder}/package.json`]);

/** Folders that `scripts/transpile.mjs` compiles to JavaScript. */
export const SERVICE_FOLDERS = [...packages, 'daemon', 'cli'];

/** Parts of the build. Each part is rebuilt only if its sources have changed. */
const PARTS = [
  {
    name: 'service and command line',
    sources: ['daemon/src', 'cli/src', 'cli/package.json', 'scripts/bundle-healthctl.mjs', ...packageSources],
    result: 'daemon/dist/main.js',
    exists: () => true,
    build: async () => {
      // Does not check types, so that the service starts sooner. `npm run typecheck` and CI check them.
      const code = await runTool(process.execPath, [join(root, 'scripts/transpile.mjs'), ...SERVICE_FOLDERS]);
      if (code === 0) await bundleHealthctl();
      return code;
    },
  },
  {
    name: 'console',
    sources: ['console', ...packageSources],
    result: 'console/dist/index.html',
    exists: () => existsSync(join(root, 'console/vite.config.ts')),
    build: () =>
      runTool(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
        cwd: join(root, 'console'),
      }),
  },
];

const DECLARATIONS = ['packages/model', 'packages/contract', 'packages/schemas'];

/** Part that is built first, because the other parts contain the file that the contract's build writes. */
const CONTRACT = {
  name: 'contract',
  sources: DECLARATIONS.map((folder) => `${folder}/src`),
  result: 'packages/contract/src/routes.ts',
  build: async () => {
    const code = await runTool(process.execPath, [join(root, 'scripts/transpile.mjs'), ...DECLARATIONS]);
    return code === 0 ? generateContract() : code;
  },
};

/** Writes the routes of `packages/contract` from `packages/schemas/dist`. @returns {Promise<number>} the exit code */
export function generateContract() {
  return runTool(process.execPath, [join(root, 'scripts/generate-contract.mjs')]);
}

/** Builds the contract, then the other parts in parallel. Skips unchanged parts unless `everything` is true. */
export async function build({ everything }) {
  await buildPart(CONTRACT, everything);
  const parts = await Promise.allSettled(
    PARTS.filter(({ exists }) => exists()).map((part) => buildPart(part, everything)),
  );
  for (const { reason } of parts) if (reason) throw reason;
}

async function buildPart(part, everything) {
  const stamp = join(root, '.healthd', `built-${part.name.split(' ')[0]}`);
  const sources = [...part.sources, 'tsconfig.json', 'tsconfig.base.json', 'pnpm-lock.yaml'];
  const files = filesBelow(sources.map((path) => join(root, path))).filter((file) => !/\.test\.tsx?$/.test(file));
  const digest = contentDigest(files);
  if (!everything && existsSync(join(root, part.result)) && isStamped(stamp, digest)) return;
  say(`Building the ${part.name} …`);
  removeStamp(stamp);
  const begun = performance.now();
  if ((await withProgress(`Still building the ${part.name}`, part.build)) !== 0)
    throw new ToolFailure(`The ${part.name} could not be built; the reason is above.`);
  writeStamp(stamp, digest);
  say(`Built the ${part.name} in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
}

/** True if the program's file exists. */
export function isBuilt(program) {
  return existsSync(join(root, program));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await ensureInstalled();
    await build({ everything: true });
  });
}
