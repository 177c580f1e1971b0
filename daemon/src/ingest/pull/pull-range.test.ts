import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { cursorAfter, liveRange, type RangeFacts } from './pull-range.js';

const at = (text: string) => Date.parse(text);
const shown = ({ startMs }: { startMs: number }) => new Date(startMs).toISOString();

const facts = (more: Partial<RangeFacts> = {}): RangeFacts => ({
  type: { latenessMs: 2 * MS_PER_DAY },
  nowMs: at('2026-05-04T10:30:00Z'),
  cursorMs: at('2026-05-02T10:00:00Z'),
  connectedMs: at('2026-04-01T00:00:00Z'),
  lookbackMs: undefined,
  maxHistoricalDays: undefined,
  notifiedUntilMs: undefined,
  missedFromMs: undefined,
  sinceMs: undefined,
  ...more,
});

describe('range of a pull', () => {
  it('starts at a cursor that lags by the overlap window', () => {
    expect(liveRange(facts())).toEqual({
      startMs: at('2026-05-02T10:00:00Z'),
      endMs: at('2026-05-04T10:30:00Z'),
    });
    expect(cursorAfter({ latenessMs: 2 * MS_PER_DAY }, at('2026-05-04T10:30:00Z'))).toBe(at('2026-05-02T10:30:00Z'));
  });

  it('starts earlier only if the lookback exceeds the overlap window', () => {
    expect(shown(liveRange(facts({ lookbackMs: 5 * MS_PER_DAY })))).toBe('2026-04-29T10:00:00.000Z');
    expect(shown(liveRange(facts({ lookbackMs: 90 * MS_PER_MINUTE })))).toBe('2026-05-02T10:00:00.000Z');
  });

  it("never starts before the provider's earliest data", () => {
    const none = { latenessMs: 0 };
    const cursorMs = at('2026-05-04T10:00:00Z');
    const twoDays = { type: none, cursorMs, lookbackMs: 2 * MS_PER_DAY };
    expect(shown(liveRange(facts(twoDays)))).toBe('2026-05-02T10:00:00.000Z');
    expect(shown(liveRange(facts({ ...twoDays, maxHistoricalDays: 1 })))).toBe('2026-05-03T10:30:00.000Z');
  });

  it('starts a day or the lookback before consent if no cursor exists', () => {
    const first = { cursorMs: undefined, connectedMs: at('2026-05-04T10:29:00Z') };
    expect(shown(liveRange(facts(first)))).toBe('2026-05-03T10:29:00.000Z');
    expect(shown(liveRange(facts({ ...first, lookbackMs: 36 * MS_PER_HOUR })))).toBe('2026-05-02T22:29:00.000Z');
  });

  it('leaves no gap when the first pull succeeds days after the consent', () => {
    const late = { cursorMs: undefined, connectedMs: at('2026-05-01T10:00:00Z') };
    expect(shown(liveRange(facts(late)))).toBe('2026-04-30T10:00:00.000Z');
  });

  it('starts at the last notification minus overlap if the cursor is older', () => {
    const reported = { cursorMs: at('2026-03-01T00:00:00Z'), notifiedUntilMs: at('2026-05-03T00:00:00Z') };
    expect(shown(liveRange(facts(reported)))).toBe('2026-05-01T00:00:00.000Z');
    expect(shown(liveRange(facts({ notifiedUntilMs: at('2026-04-01T00:00:00Z') })))).toBe('2026-05-02T10:00:00.000Z');
  });

  it('starts at the requested time', () => {
    expect(shown(liveRange(facts({ sinceMs: at('2026-01-01T00:00:00Z') })))).toBe('2026-01-01T00:00:00.000Z');
  });

  it('reaches back to reported changes that were not readable', () => {
    expect(shown(liveRange(facts({ missedFromMs: at('2026-02-01T00:00:00Z') })))).toBe('2026-02-01T00:00:00.000Z');
    expect(shown(liveRange(facts({ missedFromMs: at('2026-05-04T00:00:00Z') })))).toBe('2026-05-02T10:00:00.000Z');
  });

  it('is at most 7,300 days long, even for a start in 1970', () => {
    expect(shown(liveRange(facts({ lookbackMs: 999_999 * MS_PER_DAY })))).toBe('2006-05-09T10:30:00.000Z');
    expect(shown(liveRange(facts({ sinceMs: 1_000 })))).toBe('2006-05-09T10:30:00.000Z');
  });

  it('starts before its end even if the clock was set back', () => {
    const range = liveRange(facts({ cursorMs: at('2026-06-01T00:00:00Z') }));
    expect(range.startMs).toBeLessThan(range.endMs);
  });
});
