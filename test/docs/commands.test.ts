import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf, documents, ROOT } from './documents.js';
import { helpOf, type Program } from './programs.js';

const CALL = /(?:^|npm run -s |^\$ |exec api |run --rm |DATA_DIR=\S+ )(healthctl|healthd)((?: [^\s|>]+)+)/;

/** Three blanks indent the commands at the top of compose.yaml. */
const inCompose = [...readFileSync(join(ROOT, 'compose.yaml'), 'utf8').matchAll(/^# {3}(.*)$/gm)];
const lines = [...documents().flatMap(({ text }) => codeOf(text)), ...inCompose.map(([, line = '']) => line)];
const calls = [...new Set(lines.map((line) => CALL.exec(line)?.[0]).filter((call) => call !== undefined))];

test('finds commands in the documents', () => {
  expect(calls.length).toBeGreaterThan(10);
});

test.each(calls)('lists the command and options of `%s` in the help', (call) => {
  const [, program, rest = ''] = CALL.exec(call) ?? [];
  expect(faultOf(program as Program, rest.trim().replace(/^-- /, '').split(' '))).toBeUndefined();
});

/**
 * Returns the first word or option of a command that its help does not list; undefined if the help lists all of them.
 */
function faultOf(program: Program, words: readonly string[]): string | undefined {
  const command: string[] = [];
  for (const word of words) {
    const [, list = ''] = /^Commands:\n((?: {2}.*\n)*)/m.exec(helpOf(program, command)) ?? [];
    if (list === '' || !/^[a-z]/.test(word)) break;
    if (!new RegExp(`^ {2}${word}\\b`, 'm').test(list)) return `${[program, ...command].join(' ')} has no ${word}`;
    command.push(word);
  }
  const help = helpOf(program, command);
  const options = words.filter((word) => word.startsWith('-'));
  return options.find((option) => !new RegExp(`(?:^|[ ,])${option}\\b`, 'm').test(help));
}
