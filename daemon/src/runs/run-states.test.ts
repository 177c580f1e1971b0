import { SYNC_STAGES } from '@healthd/contract';
import { describe, expect, it } from 'vitest';
import { isFinal, mayMove } from './run-states.js';

describe('the stages of a run', () => {
  it('the stages of a run lead from queued through started and work to one final stage', () => {
    const path = ['queued', 'started', 'fetching', 'processing', 'saving', 'completed'] as const;
    for (let step = 1; step < path.length; step++) expect(mayMove(path[step - 1]!, path[step]!)).toBe(true);
  });

  it('the stages of a run are never left once final', () => {
    for (const final of ['completed', 'failed', 'cancelled'] as const) {
      for (const stage of SYNC_STAGES) expect(mayMove(final, stage)).toBe(false);
    }
  });

  it('the stages of a run may begin again after a crash, but never go back into the queue', () => {
    for (const stage of SYNC_STAGES.filter((one) => !isFinal(one))) {
      expect(mayMove(stage, 'started')).toBe(true);
      expect(mayMove(stage, 'queued')).toBe(false);
    }
  });

  it('the stages of a run do not begin work before the start', () => {
    expect(mayMove('queued', 'processing')).toBe(false);
    expect(mayMove('queued', 'failed')).toBe(true);
    expect(mayMove('queued', 'queued')).toBe(false);
  });
});
