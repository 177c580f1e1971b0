import { expect, test } from 'vitest';
import { type Rejected, type RejectionCode, RejectionTally } from './rejections.js';

const rejected = (index: number, code: RejectionCode, detail?: string): Rejected => ({
  kind: 'rejected',
  collection: 'records',
  index,
  code,
  detail,
});

test('reports rejected items with counts by code and detail', () => {
  const tally = new RejectionTally();
  tally.add(rejected(3, 'unknown_unit', 'furlong'));
  tally.add(rejected(4, 'unknown_unit', 'stone'));
  tally.add(rejected(7, 'invalid_date'));
  tally.add(rejected(8, 'invalid_date'));
  expect(tally.report).toMatchObject({
    total: 4,
    byReason: { 'unknown_unit:furlong': 1, 'unknown_unit:stone': 1, invalid_date: 2 },
    first: [{ index: 3 }, { index: 4 }, { index: 7 }, { index: 8 }],
  });
});

test('lists only the first hundred of all counted rejections', () => {
  const tally = new RejectionTally();
  for (let index = 0; index < 250; index++) tally.add(rejected(index, 'invalid_date'));
  expect(tally.report.total).toBe(250);
  expect(tally.report.first.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test('counts reasons above the limit together', () => {
  const tally = new RejectionTally(2);
  for (const detail of ['a', 'b', 'c', 'd', 'a']) tally.add(rejected(0, 'unknown_type', detail));
  expect(tally.report.byReason).toEqual({ 'unknown_type:a': 2, 'unknown_type:b': 1, others: 2 });
});

test("appends another tally's items to its own", () => {
  const [reader, writer] = [new RejectionTally(), new RejectionTally()];
  for (let index = 0; index < 99; index++) reader.add(rejected(index, 'invalid_date'));
  for (const index of [500, 501]) writer.add(rejected(index, 'implausible'));
  reader.addReport(writer.report);
  expect(reader.report).toMatchObject({ total: 101, byReason: { invalid_date: 99, implausible: 2 } });
  expect(reader.report.first).toHaveLength(100);
  expect(reader.report.first.at(-1)?.index).toBe(500);
});
