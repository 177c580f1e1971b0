import { expect, it } from 'vitest';
import { BatchBuilder } from './columns.js';
import type { SleepStageRecord } from './record.js';

const stage: SleepStageRecord = {
  kind: 'sleep_stage',
  source: { provider: 'apple' },
  stage: 'light',
  startMs: 0,
  endMs: 60_000,
};

it('sleep stages and workouts fill a batch long before as many samples do, because each of them is an object', () => {
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
