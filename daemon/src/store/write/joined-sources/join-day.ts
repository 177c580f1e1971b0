import type { ArchivedDay } from '../../facts/archived/archived-day.js';
import type { HeartRateMinutes } from '../../facts/archived/heart-rate-minutes.js';

/**
 * Combines two sources' totals of one archived day. Adds the totals if they share no minute. Otherwise uses the total
 * with more samples, because the archived samples can no longer be compared.
 */
export function joinDay(named: ArchivedDay | undefined, bundled: ArchivedDay): ArchivedDay {
  if (!named) return bundled;
  if (sharesMinutes(named.minutes, bundled.minutes)) return bundled.sampleCount > named.sampleCount ? bundled : named;
  const last = bundled.lastMs > named.lastMs ? bundled : named;
  return {
    ...named,
    sampleSum: named.sampleSum + bundled.sampleSum,
    sampleMin: Math.min(named.sampleMin, bundled.sampleMin),
    sampleMax: Math.max(named.sampleMax, bundled.sampleMax),
    lastValue: last.lastValue,
    lastMs: last.lastMs,
    sampleCount: named.sampleCount + bundled.sampleCount,
    minutes: eitherOf(named.minutes, bundled.minutes),
    heartRate: joinHeartRate(named.heartRate, bundled.heartRate),
    activeMinutes:
      named.activeMinutes && bundled.activeMinutes
        ? eitherOf(named.activeMinutes, bundled.activeMinutes)
        : (named.activeMinutes ?? bundled.activeMinutes),
  };
}

function joinHeartRate(a: HeartRateMinutes | undefined, b: HeartRateMinutes | undefined): HeartRateMinutes | undefined {
  if (!a || !b) return a ?? b;
  const seconds = new Map<number, number>();
  for (const one of [a, b]) {
    for (const [at, bin] of one.bins.entries()) seconds.set(bin, (seconds.get(bin) ?? 0) + (one.seconds[at] as number));
  }
  const bins = [...seconds.keys()].sort((x, y) => x - y);
  return { bins, seconds: bins.map((bin) => seconds.get(bin) as number), minutes: eitherOf(a.minutes, b.minutes) };
}

function sharesMinutes(a: string, b: string): boolean {
  return [...a].some((bit, at) => bit === '1' && b[at] === '1');
}

function eitherOf(a: string, b: string): string {
  return Array.from(a, (bit, at) => (bit === '1' ? bit : (b[at] as string))).join('');
}
