import type { ReplacementRecord, SourceIdentity } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';

const WRITER = 'oura_api';

/** The source of all data, because documents only contain the ring's id. */
export const OURA_SOURCE: SourceIdentity = { provider: 'oura', writer: WRITER, deviceType: 'ring' };

/** Returns the common members of all replacements of a window. */
export function replacedWindow({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'oura', writer: WRITER, startMs, endMs } as const;
}

/** Returns a replacement of a window's scores with this id prefix. */
export function replacedScores(idPrefix: string, window: TimeRange): ReplacementRecord {
  return { ...replacedWindow(window), of: 'health_scores', idPrefix };
}
