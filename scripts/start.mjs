// `npm start`: installs, builds and runs the service; later starts only run it.
import { build } from './build.mjs';
import { main } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { runProgram, stopWithNpm } from './programs.mjs';

await main(async () => {
  stopWithNpm();
  await ensureInstalled({ toRun: true });
  await build({ everything: false });
  await runProgram('healthd', process.argv.slice(2));
});
