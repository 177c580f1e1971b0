import { expect, it } from 'vitest';
import { runRefresh, runsRefresh } from './runs-refresh.js';

const moving = { status: 'in_progress', retrying: null } as const;

it('polls open runs rarely with a stream, otherwise often', () => {
  expect(runsRefresh([moving], false)).toBeLessThan(runsRefresh([], false));
  expect(runsRefresh([moving], true)).toBeGreaterThan(runsRefresh([], false));
  expect(runRefresh(moving, true)).toBeGreaterThan(runRefresh(moving, false));
});
