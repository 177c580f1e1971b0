import { expect, test } from 'vitest';
import { MAX_VALUES } from './check-structure.js';
import { parseJson } from './parse-json.js';

const parse = (text: string) => parseJson(Buffer.from(text));
/** Too long to be parsed on the main thread. */
const long = 'x'.repeat(100_000);

test('parses the same value on the main thread and a worker thread', async () => {
  for (const value of [{ a: [1, 'é', null, { b: true }] }, [], 'text', 7, null]) {
    expect(await parse(JSON.stringify(value))).toEqual({ value });
    expect(await parse(JSON.stringify([value, long]))).toEqual({ value: [value, long] });
  }
  expect(await parse('\ufeff{"a":1}')).toEqual({ value: { a: 1 } });
});

test('reports a parse error by its type without repeating the input', async () => {
  for (const text of ['', '{"a":', '[1,]', 'x', `["${long}`]) expect(await parse(text)).toEqual({ fault: 'invalid' });
  expect(await parse('['.repeat(40))).toEqual({ fault: 'too_deep' });
  expect(await parse(`["${long}",${'['.repeat(40)}`)).toEqual({ fault: 'too_deep' });
  expect(await parse(`[${'1,'.repeat(MAX_VALUES)}1]`)).toEqual({ fault: 'too_many_values' });
});

test('returns the right value for each of several concurrent large inputs', async () => {
  const texts = Array.from({ length: 20 }, (_, index) => JSON.stringify([index, long]));
  const parsed = await Promise.all(texts.map(parse));
  expect(parsed.map((one) => ('value' in one ? (one.value as unknown[])[0] : one))).toEqual(texts.map((_, i) => i));
});
