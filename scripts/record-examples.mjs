// Records the API's examples from a service with generated data into packages/schemas/examples, and checks them.
import { join } from 'node:path';
import { build } from './build.mjs';
import { main, root, runTool } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';

const VITEST = join(root, 'node_modules/vitest/vitest.mjs');
const test = (name, env) =>
  runTool(process.execPath, [VITEST, 'run', `test/api/${name}.test.ts`], { env, stdout: 'inherit' });

await main(async () => {
  await ensureInstalled();
  // Builds first, because the threads that read files run the built code.
  await build({ everything: false });
  return (await test('examples-recording', { HEALTHD_RECORD_EXAMPLES: '1' })) || test('examples', {});
});
