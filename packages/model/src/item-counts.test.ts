import { expect, it } from 'vitest';
import { addItems, countItems, ITEM_OUTCOMES, noItems } from './item-counts.js';

it('starts with zero for every outcome', () => {
  expect(Object.keys(noItems()).sort()).toEqual(['read', ...ITEM_OUTCOMES].sort());
  expect(new Set(Object.values(noItems()))).toEqual(new Set([0]));
});

it('counts each outcome by name and every item as read', () => {
  const counts = noItems();
  for (const [index, outcome] of ITEM_OUTCOMES.entries()) countItems(counts, outcome, index + 1);
  for (const [index, outcome] of ITEM_OUTCOMES.entries()) expect(counts[outcome]).toBe(index + 1);
  expect(counts.read).toBe((ITEM_OUTCOMES.length * (ITEM_OUTCOMES.length + 1)) / 2);
});

it('adds two reports outcome by outcome', () => {
  const [total, more] = [noItems(), noItems()];
  countItems(total, 'inserted', 3);
  countItems(more, 'inserted', 4);
  countItems(more, 'rejected', 2);
  addItems(total, more);
  expect(total).toEqual({ ...noItems(), read: 9, inserted: 7, rejected: 2 });
});
