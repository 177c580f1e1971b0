import { expect, it } from 'vitest';
import { BatchBuilder, batchOf, keepRows, NO_OFFSET, sourceKey } from './columns.js';
import type { SampleRecord, SleepStageRecord, SourceIdentity } from './record.js';

const stage: SleepStageRecord = {
  kind: 'sleep_stage',
  source: { provider: 'apple' },
  stage: 'light',
  startMs: 0,
  endMs: 60_000,
};

it('reports a batch as full after 1,000 sleep stages', () => {
  const builder = new BatchBuilder(50_000);
  let added = 0;
  while (!builder.full) {
    builder.add(stage);
    added++;
  }
  expect(added).toBe(1_000);
  expect(builder.take().records).toHaveLength(1_000);
  expect(builder.full).toBe(false);
});

const WATCH: SourceIdentity = { provider: 'apple', deviceModel: 'Watch6,2', writer: 'a', deviceId: '1' };
const PHONE: SourceIdentity = { ...WATCH, deviceModel: 'iPhone15,2' };
const sample = (more: Partial<SampleRecord> = {}): SampleRecord => ({
  kind: 'sample',
  source: WATCH,
  typeId: 80,
  startMs: 1_000,
  value: 5,
  sampleKind: 'sample',
  ...more,
});

it('stores samples in columns with marks for missing values', () => {
  const { sources, samples, records } = batchOf([
    sample(),
    stage,
    sample({
      source: PHONE,
      sampleKind: 'daily_total',
      durationMs: 60_000,
      offsetMinutes: -90,
      startMs: 2_000,
      value: 7,
    }),
    sample({ durationMs: 0, offsetMinutes: 0, startMs: 3_000, value: 9 }),
  ]);
  expect(sources).toEqual([WATCH, PHONE]);
  expect(records).toEqual([stage]);
  expect(samples.length).toBe(3);
  const row = (index: number) => [
    sources[samples.sourceIndex[index] ?? -1]?.deviceModel,
    samples.typeId[index],
    samples.kind[index],
    samples.startMs[index],
    samples.durationMs[index],
    samples.offsetMinutes[index],
    samples.value[index],
  ];
  expect(row(0)).toEqual(['Watch6,2', 80, 0, 1_000, Number.NaN, NO_OFFSET, 5]);
  expect(row(1)).toEqual(['iPhone15,2', 80, 1, 2_000, 60_000, -90, 7]);
  expect(row(2)).toEqual(['Watch6,2', 80, 0, 3_000, 0, 0, 9]);
});

it('starts an empty batch after a full batch is taken', () => {
  const builder = new BatchBuilder(2);
  expect([builder.empty, builder.full]).toEqual([true, false]);
  builder.add(sample());
  expect([builder.empty, builder.full]).toEqual([false, false]);
  builder.add(sample({ source: PHONE }));
  expect(builder.full).toBe(true);
  expect(builder.take().sources).toEqual([WATCH, PHONE]);
  expect([builder.empty, builder.full]).toEqual([true, false]);
  builder.add(stage);
  expect(builder.empty).toBe(false);
  builder.add(sample({ source: PHONE }));
  const next = builder.take();
  expect(next.sources).toEqual([PHONE]);
  expect([...next.samples.sourceIndex.subarray(0, next.samples.length)]).toEqual([0]);
  expect(next.records).toEqual([stage]);
});

it('merges equal sources under their last description', () => {
  const newer = { ...WATCH, softwareVersion: '11.1' };
  const { sources, samples } = batchOf([sample(), sample({ source: newer }), sample({ source: PHONE })]);
  expect(sources).toEqual([newer, PHONE]);
  expect([...samples.sourceIndex.subarray(0, samples.length)]).toEqual([0, 0, 1]);
  const again = batchOf([sample(), sample({ source: newer }), sample()]);
  expect(again.sources).toEqual([WATCH]);
});

it('distinguishes sources by vendor, model, writer and device only', () => {
  const others: SourceIdentity[] = [
    { ...WATCH, provider: 'google' },
    { ...WATCH, deviceModel: 'Watch7,1' },
    { ...WATCH, writer: 'b' },
    { ...WATCH, deviceId: '2' },
    { provider: 'apple' },
    { provider: 'apple', deviceModel: 'Watch6,2' },
    { provider: 'apple', writer: 'Watch6,2' },
    { provider: 'apple', deviceId: 'Watch6,2' },
  ];
  expect(new Set([WATCH, ...others].map(sourceKey)).size).toBe(others.length + 1);
  expect(sourceKey({ ...WATCH, deviceType: 'watch', softwareVersion: '1' })).toBe(sourceKey(WATCH));
});

it('keeps all values of retained rows, including their extremes', () => {
  const samples = [
    sample({ externalId: 'a', extremes: { minimum: 1, maximum: 9 } }),
    sample({ source: PHONE, startMs: 2_000, durationMs: 30, offsetMinutes: 60, value: 6, sampleKind: 'aggregate' }),
    sample({ startMs: 3_000, externalId: 'c', extremes: { minimum: 2, maximum: 8 } }),
  ];
  const retained = keepRows(batchOf(samples).samples, (row) => row > 0);
  const expected = batchOf([sample({ value: 0 }), ...samples.slice(1)]).samples;
  expect(retained.length).toBe(2);
  for (const column of [
    'sourceIndex',
    'typeId',
    'kind',
    'idHash',
    'startMs',
    'durationMs',
    'offsetMinutes',
    'value',
  ] as const) {
    expect([...retained[column]], column).toEqual([...expected[column].slice(1, expected.length)]);
  }
  expect(retained.extremes).toEqual(new Map([[1, { minimum: 2, maximum: 8 }]]));
  expect(keepRows(retained, () => false)).toMatchObject({ length: 0 });
});
