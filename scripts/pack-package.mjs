// Creates the npm package of healthctl or of the client in a folder (default: the current folder). The checkout's manifest
// names workspace packages, which the bundle already contains. The package's manifest names the program or module, and no
// dependencies.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from './build.mjs';
import { bundleClient } from './bundle-client.mjs';
import { main, root, runTool, ToolFailure } from './checkout.mjs';
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

const [, , folder, destination = process.env.INIT_CWD ?? '.'] = process.argv;

await main(async () => {
  const kind = PACKAGES[folder];
  if (!kind) throw new ToolFailure(`usage: node scripts/pack-package.mjs ${Object.keys(PACKAGES).join('|')} [folder]`);
  await ensureInstalled({ toRun: kind.toRun });
  await build({ everything: false });
  await kind.make();
  const source = join(root, folder);
  const { version, description, license, type, files, engines } = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  );
  const manifest = { ...kind.manifest, version, description, license, type, files, engines };
  // Packs a copy, because another manifest in the checkout would affect everything that runs there at the same time.
  const copy = mkdtempSync(join(tmpdir(), 'healthd-package-'));
  try {
    for (const part of [...files, 'README.md']) {
      if (existsSync(join(source, part))) cpSync(join(source, part), join(copy, part), { recursive: true });
    }
    writeFileSync(join(copy, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const args = ['pack', copy, '--silent', '--pack-destination', resolve(process.env.INIT_CWD ?? '.', destination)];
    const code = await runTool('npm', args, { stdout: 'inherit' });
    if (code !== 0) throw new ToolFailure('npm could not create the package; the reason is above.');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
