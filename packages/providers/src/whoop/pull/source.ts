import type { ReplacementRecord, SourceIdentity } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';

const WRITER = 'whoop_api';

/** The one source of everything: the vendor names no device. */
export const WHOOP_SOURCE: SourceIdentity = { provider: 'whoop', writer: WRITER, deviceType: 'band' };

/** What every replacement of a window has. */
export function replacedWindow({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'whoop', writer: WRITER, startMs, endMs } as const;
}

/** Scores of a window whose ids begin so. */
export function replacedScores(idPrefix: string, window: TimeRange): ReplacementRecord {
  return { ...replacedWindow(window), of: 'health_scores', idPrefix };
}
