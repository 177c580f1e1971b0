import { deviceType, type ReplacementRecord, type SourceIdentity } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';

const WRITER = 'suunto_api';

/** The source of what the vendor does not name a device of. */
export const SUUNTO_SOURCE: SourceIdentity = { provider: 'suunto', writer: WRITER, deviceType: 'watch' };

/** The source of what one device measured. */
export function deviceSource(
  model: string | undefined,
  device: Pick<SourceIdentity, 'deviceId' | 'softwareVersion'> = {},
): SourceIdentity {
  if (model === undefined) return SUUNTO_SOURCE;
  // The vendor's own models are watches, under any name.
  const known = deviceType({ model, provider: 'suunto' });
  return { ...SUUNTO_SOURCE, deviceModel: model, deviceType: known === 'other' ? 'watch' : known, ...device };
}

/** What every replacement of a window has. */
export function replacedWindow({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'suunto', writer: WRITER, startMs, endMs } as const;
}

/** Scores of a window whose ids begin so. */
export function replacedScores(idPrefix: string, window: TimeRange): ReplacementRecord {
  return { ...replacedWindow(window), of: 'health_scores', idPrefix };
}
