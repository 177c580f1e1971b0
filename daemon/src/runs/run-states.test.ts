import { SYNC_STAGES } from '@healthd/contract';
import { describe, expect, it } from 'vitest';
import { isFinal, mayMove } from './run-states.js';

describe('run stages', () => {
  it('go from queued through started and working stages to a final stage', () => {
    const path = ['queued', 'started', 'fetching', 'processing', 'saving', 'completed'] as const;
    for (let step = 1; step < path.length; step++) expect(mayMove(path[step - 1]!, path[step]!)).toBe(true);
  });

  it('never change once final', () => {
    for (const final of ['completed', 'failed', 'cancelled'] as const) {
      for (const stage of SYNC_STAGES) expect(mayMove(final, stage)).toBe(false);
    }
  });

  it('may restart after a crash, but never return to the queue', () => {
    for (const stage of SYNC_STAGES.filter((one) => !isFinal(one))) {
      expect(mayMove(stage, 'started')).toBe(true);
      expect(mayMove(stage, 'queued')).toBe(false);
    }
  });

  it('allow work only after the start stage', () => {
    expect(mayMove('queued', 'processing')).toBe(false);
    expect(mayMove('queued', 'failed')).toBe(true);
    expect(mayMove('queued', 'queued')).toBe(false);
  });
});
