import { expect, it } from 'vitest';
import { batchOf } from './columns.js';
import type { ReplacementRecord } from './record.js';

const base = { kind: 'replacement', provider: 'suunto', writer: 'suunto_api' } as const;
const nights = (startMs: number, endMs: number): ReplacementRecord => ({
  ...base,
  of: 'sleep_sessions',
  startMs,
  endMs,
});
const scores = (idPrefix: string, startMs: number, endMs: number): ReplacementRecord => ({
  ...base,
  of: 'health_scores',
  idPrefix,
  startMs,
  endMs,
});

it('joins overlapping replacements of sessions', () => {
  expect(batchOf([nights(20, 30), nights(0, 10), nights(5, 20), nights(40, 50)]).records).toEqual([
    nights(0, 30),
    nights(40, 50),
  ]);
});

it('does not join replacements of scores with different ID prefixes', () => {
  const records = [scores('sleep/', 0, 10), scores('cycle/', 5, 20), scores('sleep/', 10, 12)];
  expect(batchOf(records).records).toEqual([scores('sleep/', 0, 12), scores('cycle/', 5, 20)]);
});
