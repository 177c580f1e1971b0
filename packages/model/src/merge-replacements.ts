import type { HealthRecord, ReplacementRecord } from './record.js';
import { unionOf } from './time/intervals.js';

type WindowReplacement = Exclude<ReplacementRecord, { of: 'samples' }>;

/**
 * Joins overlapping windows of session and score replacements, because the store looks up each window separately. The
 * joined windows cover the same instants. Returns sample replacements unchanged, because the store handles all sample
 * replacements together.
 */
export function mergeReplacements(records: readonly HealthRecord[]): readonly HealthRecord[] {
  const windows = records.filter(isWindow);
  if (windows.length < 2) return records;
  const alike = new Map<string, WindowReplacement[]>();
  for (const window of windows) {
    const { provider, writer, of } = window;
    const key = JSON.stringify([provider, writer, of, window.of === 'health_scores' ? window.idPrefix : '']);
    const known = alike.get(key);
    if (known) known.push(window);
    else alike.set(key, [window]);
  }
  const merged = [...alike.values()].flatMap((group) => {
    const spans = unionOf(group.map(({ startMs, endMs }): [number, number] => [startMs, endMs]));
    return spans.map(([startMs, endMs]): WindowReplacement => ({ ...(group[0] as WindowReplacement), startMs, endMs }));
  });
  return [...merged, ...records.filter((record) => !isWindow(record))];
}

function isWindow(record: HealthRecord): record is WindowReplacement {
  return record.kind === 'replacement' && record.of !== 'samples';
}
