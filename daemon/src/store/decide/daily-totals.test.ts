import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, NO_OFFSET, SAMPLE_KIND_CODE, slotOfOrdinal } from '@healthd/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OffsetTimeline } from '../facts/offsets/offset-timeline.js';
import { allocateRows, type SampleRows } from '../facts/samples/sample-rows.js';
import { identifyTotals, rangesOfTotals } from './daily-totals.js';
import { ROW_OUTCOME, Identified } from './identified.js';

const STEPS = 80;
const KIND = SAMPLE_KIND_CODE.daily_total;
const FIRST = Date.UTC(2026, 2, 10);
const TIMELINE = new OffsetTimeline();

interface Total {
  day: number;
  /** Hours after midnight UTC. */
  hour: number;
  offsetMinutes: number;
  sourceId: number;
  value: number;
}

const total = fc.record({
  day: fc.nat({ max: 8 }),
  hour: fc.constantFrom(0, 0, 5, 20),
  offsetMinutes: fc.constantFrom(NO_OFFSET, 0, -480, 600),
  sourceId: fc.constantFrom(7, 8),
  value: fc.integer({ min: 0, max: 3 }),
});

const startOf = ({ day, hour }: Total) => FIRST + day * MS_PER_DAY + hour * MS_PER_HOUR;
const dateOf = (one: Total) =>
  `${one.sourceId} ${new Date(startOf(one) + (one.offsetMinutes === NO_OFFSET ? 0 : one.offsetMinutes) * MS_PER_MINUTE).toISOString().slice(0, 10)}`;

function rowsOf(totals: readonly Total[]): SampleRows {
  const rows = allocateRows(totals.length);
  const used = new Map<string, number>();
  for (const [at, one] of totals.entries()) {
    const place = `${one.sourceId} ${startOf(one)}`;
    const ordinal = used.get(place) ?? 0;
    used.set(place, ordinal + 1);
    rows.typeId[at] = STEPS;
    rows.sourceId[at] = one.sourceId;
    rows.kind[at] = KIND;
    rows.slot[at] = slotOfOrdinal(KIND, ordinal);
    rows.startMs[at] = startOf(one);
    rows.durationMs[at] = Number.NaN;
    rows.offsetMinutes[at] = one.offsetMinutes;
    rows.value[at] = one.value;
  }
  return rows;
}

it('keeps only the last total per source and date', () => {
  const property = fc.property(
    fc.array(total, { maxLength: 6 }),
    fc.array(total, { maxLength: 6 }),
    (before, batch) => {
      const stored = rowsOf([...new Map(before.map((one) => [dateOf(one), one])).values()]);
      // Rows are sorted by time, and the positions contain the order in the batch.
      const order = batch.map((_, at) => at).sort((a, b) => startOf(batch[a]!) - startOf(batch[b]!) || a - b);
      const rows = rowsOf(order.map((at) => batch[at]!));
      const identified = Identified.of(rows, {
        replacesFiles: false,
        keepStored: false,
        mayRemove: false,
        readings: undefined,
      });
      identifyTotals(identified, Uint32Array.from(order), stored, TIMELINE);

      const last = new Map(batch.map((one, at) => [dateOf(one), at]));
      for (const [row, at] of order.entries()) {
        expect(identified.rowOutcomeOf(row) === ROW_OUTCOME.duplicate).toBe(last.get(dateOf(batch[at]!)) !== at);
      }
      const { replaced, removed } = identified.decision;
      const gone = new Set(removed.map(({ startMs, slot, row }) => `${rows.sourceId[row]} ${startMs} ${slot}`));
      for (const { row, oldStartMs, oldSlot } of replaced) gone.add(`${rows.sourceId[row]} ${oldStartMs} ${oldSlot}`);
      const kept = new Map<string, string>();
      const put = (of: SampleRows, at: number) => {
        const key = `${of.sourceId[at]} ${of.startMs[at]} ${of.slot[at]}`;
        expect(kept.has(key), 'two totals with one key').toBe(false);
        kept.set(key, `${of.sourceId[at]} ${of.startMs[at]} ${of.value[at]}`);
      };
      for (let at = 0; at < stored.length; at++) {
        if (!gone.has(`${stored.sourceId[at]} ${stored.startMs[at]} ${stored.slot[at]}`)) put(stored, at);
      }
      const moved = new Set(replaced.map(({ row }) => row));
      for (let row = 0; row < rows.length; row++) {
        if (identified.rowOutcomeOf(row) === ROW_OUTCOME.insert || moved.has(row)) put(rows, row);
      }
      const expected = new Map(
        [...before, ...batch].map((one) => [dateOf(one), `${one.sourceId} ${startOf(one)} ${one.value}`]),
      );
      expect([...kept.values()].sort()).toEqual([...expected.values()].sort());
    },
  );
  fc.assert(property, { numRuns: 500 });
});

it('reads all totals that may share a date with a batch total', () => {
  const property = fc.property(fc.array(total, { minLength: 1, maxLength: 5 }), total, (batch, other) => {
    const ranges = rangesOfTotals(rowsOf(batch));
    expect(ranges.map(({ sourceIds }) => sourceIds)).toEqual(
      [...new Set(batch.map(({ sourceId }) => [sourceId]).map(([id]) => id))].map((id) => [id]),
    );
    if (!batch.some((one) => dateOf(one) === dateOf(other))) return;
    const isRead = ranges.some(
      ({ fromMs, toMs, sourceIds, kindCode }) =>
        kindCode === KIND && sourceIds?.includes(other.sourceId) && fromMs <= startOf(other) && startOf(other) < toMs,
    );
    expect(isRead).toBe(true);
  });
  fc.assert(property, { numRuns: 300 });
});
