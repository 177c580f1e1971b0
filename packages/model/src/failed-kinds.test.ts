import { describe, expect, it } from 'vitest';
import { groupFailedKinds } from './failed-kinds.js';

const failed = (error: string, ...dataTypes: string[]) => dataTypes.map((dataType) => ({ dataType, error }));

describe('groupFailedKinds', () => {
  it('reports the count if all data types failed alike', () => {
    expect(groupFailedKinds(failed('unavailable 500', 'a', 'b', 'c', 'd'), 4)).toEqual([
      'all 4 data types: unavailable 500',
    ]);
  });

  it('lists the failed data types if other types succeeded', () => {
    expect(groupFailedKinds(failed('unavailable 500', 'a', 'b', 'c', 'd'), 5)).toEqual(['a, b, c, d: unavailable 500']);
  });

  it('lists failures with different codes separately', () => {
    expect(groupFailedKinds([...failed('x', 'a'), ...failed('y', 'b'), ...failed('x', 'c')], 3)).toEqual([
      'a, c: x',
      'b: y',
    ]);
  });
});
