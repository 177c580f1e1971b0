// Bundles healthctl into one file without dependencies, cli/bundle/healthctl.mjs. The npm package contains it, and the
// service serves it.
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './checkout.mjs';

/**
 * @param {{ version?: string, file?: string }} [options] override the default version or file
 * @returns {Promise<string>} path of the bundled file
 */
export async function bundleHealthctl(options = {}) {
  const cli = join(root, 'cli');
  const manifest = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'));
  const file = options.file ?? join(cli, 'bundle/healthctl.mjs');
  const { rolldown } = await import(pathToFileURL(createRequire(join(cli, 'package.json')).resolve('rolldown')).href);
  const work = await rolldown({
    input: join(cli, 'dist/main.js'),
    platform: 'node',
    transform: { define: { HEALTHCTL_VERSION: JSON.stringify(options.version ?? manifest.version) } },
  });
  rmSync(file, { force: true });
  mkdirSync(join(file, '..'), { recursive: true });
  await work.write({
    file,
    format: 'esm',

    codeSplitting: false,
    minify: { mangle: false, compress: true },
  });
  await work.close();
  chmodSync(file, 0o755);
  return file;
}
