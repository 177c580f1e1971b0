import { MS_PER_HOUR } from '@healthd/model';
import { OWN_QUOTA, TOO_LARGE, TOO_MANY_ITEMS, VendorError, type VendorFailure } from '@healthd/providers';
import { describe, expect, it } from 'vitest';
import type { PullKind } from './open-runs.js';
import { pullFailureOf, withStatus } from './vendor-failure.js';

const failure = (failure: VendorFailure, kind: PullKind = 'live', failures = 0, random = 0) =>
  pullFailureOf(new VendorError(failure), { provider: 'google', kind, failures }, random);
const waitOf = (...given: Parameters<typeof failure>) => {
  const found = failure(...given);
  return 'waitMs' in found ? found.waitMs : undefined;
};

describe('handling vendor failures in a run', () => {
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
  ] as const)('maps %s in a scheduled pull to the outcome "%s"', (code, kind) => {
    expect(failure({ code }).kind).toBe(kind);
  });

  it.each([TOO_LARGE, TOO_MANY_ITEMS])('fails a data type whose response is %s', (reason) => {
    expect(failure({ code: 'invalid_answer', reason }).kind).toBe('fail_type');
  });

  it.each([
    [undefined, undefined],
    [0, undefined],
    [1, 5],
  ])('queues for quota with %s repeated requests and a limit of %s', (requestsToRepeat, limit) => {
    const quota = { code: 'rate_limited', reason: OWN_QUOTA, retryAfterMs: 700, perRequestMs: 30 } as const;
    expect(failure({ ...quota, ...(requestsToRepeat !== undefined && { requestsToRepeat }) })).toMatchObject({
      kind: 'queue',
      waitMs: 700,
      perRequestMs: 30,
      limit,
    });
  });

  it.each([
    [60_000, 0, 60_000],
    [60_000, 1, 61_000],
    [5_000, 1, 5_500],
  ])('waits the requested %i ms, never less, with jitter %d: %i ms', (retryAfterMs, random, waitMs) => {
    expect(waitOf({ code: 'rate_limited', status: 429, retryAfterMs }, 'live', 0, random)).toBe(waitMs);
  });

  it("adds the vendor's status only to a message without a cause", () => {
    const text = 'It failed.';
    expect(withStatus(text, new VendorError({ code: 'unavailable', status: 503 }))).toBe(
      'It failed (unavailable 503).',
    );
    expect(withStatus(text, new VendorError({ code: 'unavailable' }))).toBe(text);
    expect(withStatus(text, new VendorError({ code: 'rate_limited', status: 429 }))).toBe(text);
  });

  it('distinguishes a rejected renewed token from an expired authorization', () => {
    const [ended, rejected] = [failure({ code: 'unauthorized' }), failure({ code: 'unauthorized', status: 401 })];
    expect(rejected).toMatchObject({ kind: 'over' });
    expect(rejected).not.toEqual(ended);
  });

  it('names ENCRYPTION_KEY in the error if tokens cannot be decrypted', () => {
    expect(failure({ code: 'unauthorized', reason: 'token_unreadable' })).toEqual({
      kind: 'over',
      text: 'The stored authorization for google cannot be read with ENCRYPTION_KEY. Please re-authorize.',
    });
  });

  it('delays unattended runs by hours after account and deployment failures', () => {
    for (const code of ['account_not_linked', 'account_not_ready', 'operator'] as const) {
      expect(waitOf({ code }, 'backfill', 0, 0)).toBeGreaterThan(4 * MS_PER_HOUR);
    }
    expect(failure({ code: 'account_not_linked' })).toMatchObject({ account: 'not_linked' });
    expect(failure({ code: 'account_not_ready' }, 'backfill')).toMatchObject({ account: 'not_ready' });
  });

  it.each([
    [0, 4.5],
    [0.5, 6],
    [0.999, 7.497],
  ])('waits six hours plus or minus a quarter: random %d, %d hours', (random, hours) => {
    expect(waitOf({ code: 'operator' }, 'webhook', 0, random)).toBe(hours * MS_PER_HOUR);
  });

  it.each([
    ['manual', 'over'],
    ['live', 'over'],
    ['webhook', 'later'],
    ['backfill', 'later'],
  ] as const)('maps account and deployment failures in a %s run to "%s"', (kind, what) => {
    expect(failure({ code: 'account_not_linked' }, kind).kind).toBe(what);
    expect(failure({ code: 'operator' }, kind).kind).toBe(what);
  });

  it('explains why the run waits or ended', () => {
    expect(failure({ code: 'unauthorized' })).toEqual({
      kind: 'over',
      text: 'google authorization expired. Please re-authorize.',
    });
    expect(failure({ code: 'rate_limited' })).toMatchObject({ text: expect.stringMatching(/rate limit/) });
    expect(failure({ code: 'account_not_ready' })).toMatchObject({ text: expect.stringMatching(/being set up/) });
  });

  it.each(['rate_limited', 'unavailable'] as const)('adds at most a second to the requested delay after %s', (code) => {
    for (const retryAfterMs of [5_000, 90_000]) {
      for (const failures of [0, 1]) {
        expect(waitOf({ code, retryAfterMs }, 'manual', failures, 0)).toBe(retryAfterMs);
        expect(waitOf({ code, retryAfterMs }, 'manual', failures, 0.999)).toBeLessThanOrEqual(retryAfterMs + 1_000);
      }
    }
  });

  it('doubles the wait after repeated rejections, up to a limit', () => {
    const waits = [3, 6, 20].map((failures) =>
      waitOf({ code: 'rate_limited', retryAfterMs: 5_000 }, 'backfill', failures),
    );
    expect(waits).toEqual([8_000, 64_000, 900_000]);
  });

  it('waits only seconds after two consecutive rejections without a retry delay', () => {
    const waits = [0, 1].map((failures) => waitOf({ code: 'rate_limited' }, 'manual', failures, 0.999) ?? 0);
    expect(waits[0]! + waits[1]!).toBeLessThanOrEqual(7_000);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
  });

  it('delays failed runs longer each time, up to half an hour', () => {
    const waits = [0, 1, 2, 3, 20].map((failures) => waitOf({ code: 'unavailable' }, 'live', failures, 0));
    expect(waits).toEqual([15_000, 30_000, 60_000, 120_000, 900_000]);
    expect([0, 0.5].map((random) => waitOf({ code: 'unavailable' }, 'live', 20, random))).toEqual([900_000, 1_350_000]);
    expect(waitOf({ code: 'unavailable' }, 'live', 20, 0.999)).toBeLessThanOrEqual(1_800_000);
  });

  it('tries a webhook run three times', () => {
    expect(failure({ code: 'unavailable' }, 'webhook')).toMatchObject({ limit: 2 });
  });
});
