import type { ReplacementRecord, SourceIdentity } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';

const WRITER = 'oura_api';

/** The one source of everything: a document names its ring by an id alone. */
export const OURA_SOURCE: SourceIdentity = { provider: 'oura', writer: WRITER, deviceType: 'ring' };

/** What every replacement of a window has. */
export function replacedWindow({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'oura', writer: WRITER, startMs, endMs } as const;
}

/** Scores of a window whose ids begin so. */
export function replacedScores(idPrefix: string, window: TimeRange): ReplacementRecord {
  return { ...replacedWindow(window), of: 'health_scores', idPrefix };
}
