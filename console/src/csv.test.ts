import { expect, test } from 'vitest';
import { csvOf } from './csv.js';

test('escapes special characters and formulas in CSV cells', () => {
  expect(
    csvOf([
      ['a', 'b,c', 'say "x"', null, 3, -4],
      ['=1+1', '@x', 'two\nlines', '', 0, 1.5],
    ]),
  ).toBe('a,"b,c","say ""x""",,3,-4\r\n\'=1+1,\'@x,"two\nlines",,0,1.5\r\n');
});
