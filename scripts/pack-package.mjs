// Hooks of `npm pack` in cli and packages/client. The checkout's manifest names workspace packages, which the bundle
// already contains. The package's manifest names the program or module, and no dependencies.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { bundleClient } from './bundle-client.mjs';
import { main, root, ToolFailure } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';

/** By folder: the build step, whether it works without developer tools, and the package's name and entry. */
const PACKAGES = {
  cli: {
    make: async () => undefined,
    toRun: true,
    manifest: { name: 'healthctl', bin: { healthctl: 'bundle/healthctl.mjs' } },
  },
  'packages/client': {
    make: bundleClient,
    // Generates types.
    toRun: false,
    manifest: {
      name: '@healthd/client',
      sideEffects: false,
      exports: {
        '.': { types: './bundle/types/index.d.ts', default: './bundle/index.js' },
        './node': { types: './bundle/types/node/index.d.ts', default: './bundle/node.js' },
        './postgres': { types: './bundle/types/postgres/index.d.ts', default: './bundle/postgres.js' },
      },
      peerDependencies: { pg: '>=8.11' },
      peerDependenciesMeta: { pg: { optional: true } },
    },
  },
};

const [, , folder, step] = process.argv;

await main(async () => {
  const kind = PACKAGES[folder];
  if (!kind)
    throw new ToolFailure(`usage: node scripts/pack-package.mjs ${Object.keys(PACKAGES).join('|')} prepare|restore`);
  const path = join(root, folder, 'package.json');
  const original = `${path}.original`;
  // Also restores leftovers of an interrupted pack.
  if (existsSync(original)) renameSync(original, path);
  if (step !== 'prepare') return;
  await ensureInstalled({ toRun: kind.toRun });
  await build({ everything: false });
  await kind.make();
  const text = readFileSync(path, 'utf8');
  const { version, description, license, type, files, engines } = JSON.parse(text);
  writeFileSync(original, text);
  const manifest = { ...kind.manifest, version, description, license, type, files, engines };
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
});
