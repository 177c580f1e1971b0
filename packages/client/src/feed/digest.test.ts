import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DigestBuilder } from './digest.js';
import type { SnapshotRow } from './snapshot-lines.js';

interface Vector {
  name: string;
  key: string;
  rows: SnapshotRow[];
  digest: string;
}

const VECTORS: Vector[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../docs/feed-vectors.json'), 'utf8'),
);
const GROUP = { day: '2026-03-01', kind: 'samples', type: 'steps', provider: 'polar' } as const;

test.each(VECTORS.filter(({ rows }) => rows.length > 0))('computes the documented digest: $name', async (vector) => {
  const builder = new DigestBuilder(vector.key);
  // Uses workouts, because a vector expects one digest for all types, and samples have one digest per type.
  for (const row of vector.rows.toReversed()) builder.add({ ...row, ...GROUP, kind: 'workout', type: row.type });
  expect(await builder.digests()).toEqual([
    { ...GROUP, kind: 'workout', type: null, rows: vector.rows.length, digest: vector.digest },
  ]);
});

test('computes one digest per day, kind, type and provider', async () => {
  const [vector] = VECTORS.filter(({ rows }) => rows.length > 0);
  const [row] = vector?.rows ?? [];
  const builder = new DigestBuilder(vector?.key ?? '');
  const groups = [
    GROUP,
    { ...GROUP, day: '2026-03-02' },
    { ...GROUP, type: 'energy' },
    { ...GROUP, provider: 'oura' },
    { ...GROUP, kind: 'sleep' as const, type: 'nap' },
    { ...GROUP, kind: 'sleep' as const, type: 'sleep' },
  ];
  for (const group of groups) builder.add({ ...(row as SnapshotRow), ...group });
  const digests = await builder.digests();
  expect(digests.map(({ day, kind, type, provider, rows }) => [day, kind, type, provider, rows])).toEqual([
    ['2026-03-01', 'samples', 'energy', 'polar', 1],
    ['2026-03-01', 'samples', 'steps', 'oura', 1],
    ['2026-03-01', 'samples', 'steps', 'polar', 1],
    ['2026-03-01', 'sleep', null, 'polar', 2],
    ['2026-03-02', 'samples', 'steps', 'polar', 1],
  ]);
});

test('rejects a key that is not hexadecimal', () => {
  expect(() => new DigestBuilder('xyz')).toThrow('not hexadecimal');
});
