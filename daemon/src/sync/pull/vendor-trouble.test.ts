import { VendorError, type VendorFailure } from '@healthd/providers';
import { describe, expect, it } from 'vitest';
import type { PullKind } from './open-runs.js';
import { troubleOf } from './vendor-trouble.js';

const trouble = (failure: VendorFailure, kind: PullKind = 'live', failures = 0, random = 0) =>
  troubleOf(new VendorError(failure), kind, failures, random);
const waitOf = (...given: Parameters<typeof trouble>) => {
  const found = trouble(...given);
  return 'waitMs' in found ? found.waitMs : undefined;
};

describe('what a vendor\u2019s failure does to a run', () => {
  it.each([
    ['scope_missing', 'skip_type'],
    ['invalid_request', 'fail_type'],
    ['not_found', 'fail_type'],
    ['range_too_long', 'fail_type'],
    ['unavailable', 'later_type'],
    ['invalid_answer', 'later_type'],
    ['rate_limited', 'later'],
    ['unauthorized', 'over'],
    ['account_not_linked', 'over'],
    ['operator', 'over'],
  ] as const)('%s of a scheduled pull: %s', (code, kind) => {
    expect(trouble({ code }).kind).toBe(kind);
  });

  it('an account without data is asked again after hours, not minutes, by what nobody repeats', () => {
    for (const code of ['account_not_linked', 'account_not_ready', 'operator'] as const) {
      expect(waitOf({ code }, 'backfill', 0, 0)).toBeGreaterThan(4 * 3_600_000);
    }
    expect(trouble({ code: 'account_not_linked' })).toMatchObject({ account: 'not_linked' });
    expect(trouble({ code: 'account_not_ready' }, 'backfill')).toMatchObject({ account: 'not_ready' });
  });

  it('a run waits at least as long as the vendor says', () => {
    expect(waitOf({ code: 'rate_limited', retryAfterMs: 90_000 })).toBe(90_000);
    expect(waitOf({ code: 'rate_limited', retryAfterMs: 90_000 }, 'live', 0, 0.999)).toBeLessThan(106_000);
  });

  it('it waits longer each time, up to half an hour, and never the same time as its neighbours', () => {
    const waits = [0, 1, 2, 3, 20].map((failures) => waitOf({ code: 'unavailable' }, 'live', failures, 0));
    expect(waits).toEqual([15_000, 30_000, 60_000, 120_000, 900_000]);
    expect(waitOf({ code: 'unavailable' }, 'live', 20, 0.999)).toBeLessThanOrEqual(1_800_000);
  });

  it('what a webhook told of is tried three times', () => {
    expect(trouble({ code: 'unavailable' }, 'webhook')).toMatchObject({ limit: 2 });
  });
});
