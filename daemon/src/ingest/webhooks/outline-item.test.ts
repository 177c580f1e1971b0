import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outlineItem } from './outline-item.js';

const LIMITS = { pieceBytes: 40, restBytes: 10_000 };

async function outline(text: string, limits: { pieceBytes?: number; restBytes?: number } = {}) {
  const { pieces, count, isCut } = await outlineItem(Buffer.from(text), { list: 'samples', ...LIMITS, ...limits });
  const read = [...pieces()].map((piece) => JSON.parse(piece.toString()) as Record<string, unknown>);
  expect(read.length).toBe(count);
  return { read, isCut };
}

it('cuts an item into pieces that together contain the whole list', async () => {
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant('a "quoted" \\ \\" [{,'));
  const members = fc.dictionary(fc.string(), value, { maxKeys: 4 });
  const element = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });
  await fc.assert(
    fc.asyncProperty(
      members,
      members,
      fc.array(element, { maxLength: 20 }),
      fc.boolean(),
      async (a, b, list, isWide) => {
        fc.pre(!Object.hasOwn(b, 'samples'));
        const item = JSON.parse(JSON.stringify({ ...a, samples: list, ...b })) as Record<string, unknown>;
        const { read } = await outline(JSON.stringify(item, null, isWide ? 2 : undefined), { pieceBytes: 1_000 });
        const { samples, ...rest } = item;
        expect(read.flatMap((piece) => piece.samples ?? [])).toEqual(samples);
        for (const { samples: _, ...others } of read) expect(others).toEqual(rest);
      },
    ),
  );
});

it('cuts a list between elements once a piece is large enough', async () => {
  const samples = Array.from({ length: 50 }, (_, at) => ({ at, text: 'x,]}' }));
  const { read, isCut } = await outline(JSON.stringify({ id: 7, samples, last: null }));
  expect(isCut).toBe(false);
  expect(read.length).toBeGreaterThan(20);
  expect(read[3]).toMatchObject({ id: 7, last: null });
  expect(read.flatMap((piece) => piece.samples)).toEqual(samples);
});

it.each([
  ['a member next to the list', { id: 7, laps: 'x'.repeat(20_000), samples: [{ at: 1 }] }],
  ['an element of the list', { id: 7, samples: [{ at: 1, text: 'x'.repeat(5_000) }] }],
  ['a list under another name', { id: 7, epochs: Array.from({ length: 5_000 }, () => 1) }],
])('keeps only small members of an item if %s is too large', async (_, item) => {
  const { read, isCut } = await outline(JSON.stringify(item));
  expect(isCut).toBe(true);
  expect(read).toEqual([{ id: 7 }]);
});
