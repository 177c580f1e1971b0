// `npm run -s healthctl -- …` and `npm run -s healthd -- …`: runs a program from the checkout; stdout is the program's.
import { build, isBuilt } from './build.mjs';
import { main, say } from './checkout.mjs';
import { ensureInstalled } from './install.mjs';
import { PROGRAMS, runProgram, stopWithNpm } from './programs.mjs';

await main(async () => {
  stopWithNpm();
  const [name, ...args] = process.argv.slice(2);
  if (!Object.hasOwn(PROGRAMS, name ?? '')) {
    say(`usage: node scripts/program.mjs ${Object.keys(PROGRAMS).join('|')} [arguments]`);
    return 2;
  }
  if (!isBuilt(PROGRAMS[name])) {
    await ensureInstalled({ toRun: true });
    await build({ everything: false });
  }
  await runProgram(name, args);
  return undefined;
});
