// `npm run bench [-- scenario … options]`: measures the built service; `npm run bench -- --help` lists the scenarios.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { main, root, runTool } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';

await main(async () => {
  await ensureInstalled();
  await build({ everything: false });
  // Only the bench itself is compiled on the fly. It measures the compiled service.
  const loader = pathToFileURL(join(root, 'test/support/typescript-loader.mjs')).href;
  const args = ['--no-warnings', '--import', loader, join(root, 'test/bench/main.ts'), ...process.argv.slice(2)];
  return runTool(process.execPath, args, { stdout: 'inherit' });
});
