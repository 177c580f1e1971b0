import { describe, expect, it } from 'vitest';
import { listWorkouts } from './workouts.js';

const { query } = listWorkouts;

const january = { start_date: '2024-01-01', end_date: '2024-02-01' };

describe('workout type filter', () => {
  it('accepts text with a SQL wildcard character', () => {
    expect(query.safeParse({ ...january, record_type: 'Run%' }).success).toBe(true);
  });

  it('rejects text with a NUL character', () => {
    const parsed = query.safeParse({ ...january, record_type: 'run\0' });
    expect(parsed.success).toBe(false);
    expect(parsed.error?.issues[0]?.path).toEqual(['record_type']);
  });
});
