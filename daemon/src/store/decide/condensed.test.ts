import { batchOf, type HealthRecord, MS_PER_DAY, MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sample } from '../../../../test/support/records.js';
import { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { allocateRows } from '../facts/samples/sample-rows.js';
import { sortedRows } from './batch-rows.js';
import { type Identified, ROW_OUTCOME } from './identified.js';
import { groupSamples, rowsToCompare, stretchesOf } from './sample-groups.js';
import { decideSamples } from './samples.js';

const START = Date.parse('2026-03-10T10:00Z');
const NOTHING = allocateRows(0);

function decided(records: readonly HealthRecord[]): Identified {
  const batch = resultOf(sortedRows(batchOf([...records]).samples, [7, 8], () => false));
  const compared = rowsToCompare(batch.rows, groupSamples(batch.rows));
  const facts = { replacesFiles: false, keepStored: false, mayRemove: false, readings: undefined };
  const around = [{ stretches: stretchesOf(batch.rows, compared.doubtful), stored: NOTHING }];
  const snapshot = {
    facts,
    isRestated: false,
    compared,
    totals: NOTHING,
    around,
    windows: [],
    readings: [],
    archived: undefined,
  };
  return resultOf(decideSamples(batch, snapshot, new OffsetTimeline()));
}

function resultOf<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

interface Piece {
  from: number;
  minutes: number;
  value: number;
  other?: boolean;
}
const stepsOf = ({ from, minutes, value, other = false }: Piece) =>
  sample('steps', new Date(START + from * MS_PER_MINUTE).toISOString(), value, {
    minutes,
    ...(other && { source: { provider: 'oura' } }),
  });

/** True if `whole` is superseded. It is the only sample that lasts 10 minutes, and it starts at minute 0. */
function isSuperseded(whole: HealthRecord, pieces: readonly Piece[]): boolean {
  const identified = decided([whole, ...pieces.map(stepsOf)]);
  const { rows } = identified;
  const at = Array.from({ length: rows.length }, (_, row) => row).find(
    (row) => rows.durationMs[row] === 10 * MS_PER_MINUTE && rows.startMs[row] === START,
  ) as number;
  return identified.rowOutcomeOf(at) === ROW_OUTCOME.superseded;
}
const WHOLE = stepsOf({ from: 0, minutes: 10, value: 100 });
const HALVES = [0, 5].map((from) => ({ from, minutes: 5, value: 50 }));

describe('a sample that lasts as long as several others', () => {
  it('is superseded exactly when other samples add up to its value', () => {
    const piece = fc.record({
      from: fc.integer({ min: -1, max: 10 }),
      minutes: fc.integer({ min: 1, max: 5 }),
      value: fc.constantFrom(20, 25, 40, 50, 99, 100),
      other: fc.constantFrom(false, false, false, true),
    });
    const property = fc.property(fc.array(piece, { maxLength: 5 }), (all) => {
      // Keeps one of several pieces with the same start and end, because these would be versions of one sample.
      const pieces = [...new Map(all.map((one) => [`${one.from} ${one.minutes} ${one.other}`, one])).values()];
      // Skips cases in which a piece could be the sum of other pieces.
      const isFlat = pieces.every(({ minutes }) => minutes <= 2) || pieces.length < 3;
      fc.pre(isFlat);
      const inside = pieces.filter(({ from, minutes, other }) => !other && from >= 0 && from + minutes <= 10);
      const sum = inside.reduce((total, { value }) => total + value, 0);
      expect(isSuperseded(WHOLE, pieces)).toBe(inside.length >= 2 && Math.abs(sum - 100) <= 0.01 * sum);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("may differ from the other samples' sum by one percent", () => {
    const halves = (value: number) => [
      { from: 0, minutes: 5, value: 50 },
      { from: 5, minutes: 5, value },
    ];
    expect([50, 51, 51.1, 49.1, 48.9].map((value) => isSuperseded(WHOLE, halves(value)))).toEqual([
      true,
      true,
      false,
      true,
      false,
    ]);
  });

  it.each<[string, HealthRecord]>([
    ['has an id', { ...WHOLE, externalId: 'a' }],
    ['belongs to a series without sums', { ...WHOLE, typeId: 1 }],
    ['is an aggregate', { ...WHOLE, sampleKind: 'aggregate' }],
  ])('is not superseded by its pieces if it %s', (_, whole) => {
    expect(isSuperseded(whole, HALVES)).toBe(false);
  });

  it('is superseded by pieces that cover its whole length', () => {
    expect(isSuperseded(WHOLE, HALVES)).toBe(true);
  });

  it.each([
    [MS_PER_DAY, true],
    [MS_PER_DAY + 1_000, false],
  ])('of %i ms is superseded: %s', (durationMs, expected) => {
    const half = durationMs / 2 / MS_PER_MINUTE;
    const identified = decided([
      { ...WHOLE, durationMs },
      stepsOf({ from: 0, minutes: half, value: 50 }),
      stepsOf({ from: half, minutes: half, value: 50 }),
    ]);
    expect(identified.counts().superseded).toBe(expected ? 1 : 0);
  });
});
