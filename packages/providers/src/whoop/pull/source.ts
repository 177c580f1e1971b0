import type { ReplacementRecord, SourceIdentity } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';

const WRITER = 'whoop_api';

/** The source of all data, because the vendor names no device. */
export const WHOOP_SOURCE: SourceIdentity = { provider: 'whoop', writer: WRITER, deviceType: 'band' };

/** Returns the common members of all replacements of a window. */
export function replacedWindow({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'whoop', writer: WRITER, startMs, endMs } as const;
}

/** Returns a replacement of a window's scores with this id prefix. */
export function replacedScores(idPrefix: string, window: TimeRange): ReplacementRecord {
  return { ...replacedWindow(window), of: 'health_scores', idPrefix };
}
