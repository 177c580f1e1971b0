import { expect, test } from 'vitest';
import { toYaml } from './yaml.js';

test.each([
  ['a string', 'plain text', 'plain text\n'],
  ['a number', -1.5, '-1.5\n'],
  ['true', true, 'true\n'],
  ['null', null, 'null\n'],
  ['an unknown value', undefined, 'null\n'],
  ['an empty list', [], '[]\n'],
  ['an empty object', {}, '{}\n'],
  ['a list of lists', [[1, 2], [], [3]], '- - 1\n  - 2\n- []\n- - 3\n'],
])('writes %s as YAML', (_, value, text) => {
  expect(toYaml(value)).toBe(text);
});

test('puts nonempty members on lines below their name', () => {
  const value = { empty: [], none: {}, missing: null, list: ['a', { b: 1, c: [2] }], deep: { er: { d: 'e' } } };
  expect(toYaml(value)).toBe(
    [
      'empty: []',
      'none: {}',
      'missing: null',
      'list:',
      '  - a',
      '  - b: 1',
      '    c:',
      '      - 2',
      'deep:',
      '  er:',
      '    d: e',
      '',
    ].join('\n'),
  );
});

test.each(['Yes', 'off', 'NULL', '007', '1e3', '-', '', ' padded ', 'ends ', 'a: b', '#x', 'line\nbreak', "it's"])(
  'quotes the ambiguous string %j in YAML',
  (text) => {
    expect(toYaml({ [text]: text })).toBe(`${JSON.stringify(text)}: ${JSON.stringify(text)}\n`);
  },
);
