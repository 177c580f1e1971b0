import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonTokens, LITERAL, MARK, MORE, TEXT, TEXT_END } from './json-tokens.js';

/** Returns tokens with their positions, brackets as characters. */
function tokensOf(text: string, { chunk = 1_000, skim = false } = {}): [string, number][] {
  const bytes = Buffer.from(text);
  const tokens = new JsonTokens();
  tokens.skim = skim;
  const found: [string, number][] = [];
  for (let from = 0; from < bytes.length; from += chunk) {
    tokens.feed(bytes.subarray(from, from + chunk));
    for (let token = tokens.next(); token !== MORE; token = tokens.next())
      found.push([nameOf(token), from + tokens.at]);
  }
  return found;
}

function nameOf(token: number): string {
  const names = new Map([
    [TEXT, 'text'],
    [TEXT_END, 'text end'],
    [LITERAL, 'literal'],
    [MARK, 'mark'],
  ]);
  return names.get(token) ?? String.fromCharCode(token);
}

it('reads brackets, separators, strings and literals with their positions', () => {
  expect(tokensOf('{"a\\"": [-1.5e3, x]}')).toEqual([
    ['{', 0],
    ['text', 1],
    ['text end', 5],
    [':', 6],
    ['[', 8],
    ['literal', 9],
    [',', 15],
    ['literal', 17],
    [']', 18],
    ['}', 19],
  ]);
});

it('reports each byte of a byte order mark', () => {
  expect(tokensOf('\ufeff[').map(([name]) => name)).toEqual(['mark', 'mark', 'mark', '[']);
});

it('returns only brackets and commas while skimming', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 9 }), (json, chunk) => {
      const text = JSON.stringify(json);
      const brackets = tokensOf(text).filter(([name]) => /^[[\]{},]$/.test(name));
      expect(tokensOf(text, { chunk, skim: true })).toEqual(brackets);
    }),
  );
});

it('finds the same strings at any chunk boundaries', () => {
  const text = fc
    .array(fc.constantFrom('"', '\\', 'a', 'é', '{', ' ', ':'), { maxLength: 30 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (json, chunk) => {
      const others = ([name]: [string, number]) => name !== 'literal';
      expect(tokensOf(json, { chunk }).filter(others)).toEqual(tokensOf(json).filter(others));
    }),
  );
});
