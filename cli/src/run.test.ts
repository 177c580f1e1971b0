import { expect, test } from 'vitest';
import { Interrupt } from './interrupt.js';
import { buildProgram } from './program.js';
import { usageHint } from './run.js';

test.each([
  ['keys create --scopes all', 'healthctl keys create'],
  ['--output json keys create --scopes all', 'healthctl keys create'],
  ['--url=http://127.0.0.1:1 --debug sync backfill nope', 'healthctl sync backfill'],
  ['sync --utc backfill nope', 'healthctl sync backfill'],
  ['keys list --output', 'healthctl keys list'],
  ['-q keys nope', 'healthctl keys'],
  ['--json keys list', 'healthctl'],
  ['--output', 'healthctl'],
  ['nope', 'healthctl'],
])('points to the help of the deepest command in `%s`', async (line, command) => {
  const argv = ['node', 'healthctl', ...line.split(' ')];
  expect(usageHint(await buildProgram(new Interrupt(), argv), argv)).toBe(`See: ${command} --help`);
});
