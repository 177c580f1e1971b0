import { expect, test } from 'vitest';
import { MAX_VALUES } from './check-structure.js';
import { parseJson } from './parse-json.js';

const parse = (text: string) => parseJson(Buffer.from(text));
/** Longer than what is parsed on the main thread. */
const long = 'x'.repeat(100_000);

test('a text is the same value on the main thread and in the thread for large ones', async () => {
  for (const value of [{ a: [1, 'é', null, { b: true }] }, [], 'text', 7, null]) {
    expect(await parse(JSON.stringify(value))).toEqual({ value });
    expect(await parse(JSON.stringify([value, long]))).toEqual({ value: [value, long] });
  }
  expect(await parse('\ufeff{"a":1}')).toEqual({ value: { a: 1 } });
});

test('a fault of a text is reported by its kind, and nothing of it is repeated', async () => {
  for (const text of ['', '{"a":', '[1,]', 'x', `["${long}`]) expect(await parse(text)).toEqual({ fault: 'invalid' });
  expect(await parse('['.repeat(40))).toEqual({ fault: 'too_deep' });
  expect(await parse(`["${long}",${'['.repeat(40)}`)).toEqual({ fault: 'too_deep' });
  expect(await parse(`[${'1,'.repeat(MAX_VALUES)}1]`)).toEqual({ fault: 'too_many_values' });
});

test('large texts that come together are each answered with their own value', async () => {
  const texts = Array.from({ length: 20 }, (_, index) => JSON.stringify([index, long]));
  const parsed = await Promise.all(texts.map(parse));
  expect(parsed.map((one) => ('value' in one ? (one.value as unknown[])[0] : one))).toEqual(texts.map((_, i) => i));
});
