import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DeliveryFault, DeliverySplitter } from './delivery-splitter.js';

/** Returns the parts of a body that arrives in chunks of this size. */
function split(body: string | Buffer, pieceBytes = 7, maxItemBytes = 10_000) {
  const parts: [string, unknown][] = [];
  const splitter = new DeliverySplitter(maxItemBytes, ({ dataType, json, oddItems = 1 }) => {
    for (let item = 0; item < oddItems; item++) parts.push([dataType, JSON.parse(json.toString())]);
  });
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += pieceBytes) splitter.push(bytes.subarray(at, at + pieceBytes));
  splitter.end();
  return parts;
}

function faultOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof DeliveryFault ? error.code : 'another error';
  }
}

it('splits a body into the same items at any chunk boundaries', () => {
  const item = fc.dictionary(
    fc.string(),
    fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant('a "quoted" \\ \\" [{')),
    {
      maxKeys: 4,
    },
  );
  const body = fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,12}$/), fc.array(item, { maxLength: 4 }), { maxKeys: 4 });
  fc.assert(
    fc.property(body, fc.integer({ min: 1, max: 64 }), fc.boolean(), (lists, pieceBytes, isIndented) => {
      const text = JSON.stringify(lists, null, isIndented ? 2 : undefined);
      const expected = Object.entries(JSON.parse(text) as Record<string, unknown[]>).flatMap(([name, items]) =>
        items.map((one) => [name, one]),
      );
      expect(split(text, pieceBytes)).toEqual(expected);
    }),
  );
});

it('returns only list elements, with null for invalid elements', () => {
  const body =
    '{"count": 2, "note": "a [{ b", "more": {"a": [{"b": 1}]}, "dailies": [1, "x,]", [2, {}], null, {"a": 1}], "end": null}';
  expect(split(body)).toEqual([
    ['dailies', null],
    ['dailies', null],
    ['dailies', null],
    ['dailies', null],
    ['dailies', { a: 1 }],
  ]);
});

it('accepts a byte order mark and whitespace around a body', () => {
  expect(split('\ufeff \r\n{ "a" : [ { "b" : 1 } , {} ] }\n ')).toEqual([
    ['a', { b: 1 }],
    ['a', {}],
  ]);
});

it.each([
  ['{"dailies":[{"a":1},{"b"', 'truncated'],
  ['{"dailies":[{"a":"}]}', 'truncated'],
  ['{"dailies":[]', 'truncated'],
  ['', 'truncated'],
  ['[]', 'malformed'],
  ['"text"', 'malformed'],
  ['{"a":[{}],}', 'malformed'],
  ['{"a":[{},]}', 'malformed'],
  ['{"a":[{}]} {', 'malformed'],
  [`{"a":[{"b":${'['.repeat(40)}`, 'truncated'],
  [`{"a":[{"b":"${'x'.repeat(20_000)}`, 'truncated'],
])('rejects the body $0 with $1', (body, code) => {
  expect(faultOf(() => split(body))).toBe(code);
});

it.each([
  ['too_deep', `{"b":${'['.repeat(40)}1${']'.repeat(40)}}`],
  ['item_too_large', `{"b":"${'x'.repeat(20_000)}"}`],
])('skips only an item that is %s', (fault, item) => {
  const body = Buffer.from(`{"a":[{"c":1},${item},{"c":2}],"b":[{"c":3}]}`);
  for (const pieceBytes of [5, 1_000, body.length]) {
    const parts: [string, string, string | undefined][] = [];
    const splitter = new DeliverySplitter(10_000, (part) =>
      parts.push([part.dataType, part.json.toString(), part.fault]),
    );
    for (let at = 0; at < body.length; at += pieceBytes) splitter.push(body.subarray(at, at + pieceBytes));
    splitter.end();
    expect(parts).toEqual([
      ['a', '{"c":1}', undefined],
      ['a', 'null', fault],
      ['a', '{"c":2}', undefined],
      ['b', '{"c":3}', undefined],
    ]);
  }
});

it('rejects a body with more than one million items', () => {
  const body = (items: number) => Buffer.from(`{"a":[${'1,'.repeat(items - 1)}1]}`);
  const push = (bytes: Buffer) => faultOf(() => new DeliverySplitter(1_000).push(bytes));
  expect(push(body(1_000_001))).toBe('too_many_items');
  expect(push(body(1_000_000))).toBeUndefined();
});
