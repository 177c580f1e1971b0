import { expect, it } from 'vitest';
import { SAMPLE_KIND_CODE } from './record.js';
import { hashOfId, hasId, isOfUnknownId, kindOfSlot, slotOfId, slotOfOrdinal, slotOfUnknownId } from './sample-slot.js';

const KINDS = Object.values(SAMPLE_KIND_CODE);

it('builds 31-bit slots that sort by sample kind', () => {
  const slots = KINDS.flatMap((kind) => [
    slotOfOrdinal(kind, 0),
    slotOfOrdinal(kind, 25_000),
    slotOfUnknownId(kind),
    slotOfId(kind, 0),
    slotOfId(kind, 2 ** 28 - 1),
  ]);
  expect(slots).toEqual(slots.toSorted((a, b) => a - b));
  expect(slots.every((slot) => slot >= 0 && slot === (slot | 0))).toBe(true);
  expect(slots.map(kindOfSlot)).toEqual(KINDS.flatMap((kind) => Array.from({ length: 5 }, () => kind)));
  expect(slots.map(hasId)).toEqual(KINDS.flatMap(() => [false, false, false, true, true]));
  expect(slots.map(isOfUnknownId)).toEqual(KINDS.flatMap(() => [false, false, true, false, false]));
});

it('rarely assigns the same hash to two of 100,000 ids', () => {
  const hashes = new Set<number>();
  for (let n = 0; n < 100_000; n++) hashes.add(hashOfId(`6f1c2a90-0000-4000-8000-${String(n).padStart(12, '0')}`));
  // About 19 collisions are expected by chance.
  expect(hashes.size).toBeGreaterThan(100_000 - 60);
  for (const hash of hashes) expect(hash >= 0 && hash < 2 ** 28).toBe(true);
});
