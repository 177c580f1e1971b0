import { expect, test } from 'vitest';
import { Interrupt } from './interrupt.js';
import { buildProgram } from './program.js';

function commandsFor(...words: readonly string[]): Promise<string[]> {
  return buildProgram(new Interrupt(), ['node', 'healthctl', ...words]).then(({ commands }) =>
    commands.map((command) => command.name()),
  );
}

test('finds each command when only its module is loaded', async () => {
  const names = await commandsFor();
  expect(names.length).toBeGreaterThan(30);
  for (const name of names) expect(await commandsFor(name), name).toContain(name);
});

test('loads only the module of the command that follows the global options', async () => {
  expect(await commandsFor('--output', 'json', '--debug', 'keys', 'list', '--json', 'id')).toEqual(['keys']);
});

test.each([[['--json', 'keys']], [['usres', 'list']], [['--output']], [['help', 'keys']]])(
  'loads all modules for %j',
  async (words) => {
    expect(await commandsFor(...words)).toContain('users');
  },
);
