// Records the examples of the API again from a service with made-up data, into packages/schemas/examples, and checks them.
import { join } from 'node:path';
import { build } from './build.mjs';
import { main, root, runTool } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';

const VITEST = join(root, 'node_modules/vitest/vitest.mjs');
const test = (name, env) =>
  runTool(process.execPath, [VITEST, 'run', `test/api/${name}.test.ts`], { env, stdout: 'inherit' });

await main(async () => {
  await ensureInstalled();
  // Files are read in threads, which run what was built.
  await build({ everything: false });
  return (await test('examples-recording', { HEALTHD_RECORD_EXAMPLES: '1' })) || test('examples', {});
});
