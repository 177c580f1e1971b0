import { deviceType, type ReplacementRecord, type SourceIdentity } from '@healthd/model';
import type { TimeRange } from '../../cloud/index.js';

const WRITER = 'suunto_api';

/** Source of data for which the vendor names no device. */
export const SUUNTO_SOURCE: SourceIdentity = { provider: 'suunto', writer: WRITER, deviceType: 'watch' };

/** Returns the source of one device. */
export function deviceSource(
  model: string | undefined,
  device: Pick<SourceIdentity, 'deviceId' | 'softwareVersion'> = {},
): SourceIdentity {
  if (model === undefined) return SUUNTO_SOURCE;
  // Treats an unknown model as a watch, because all of the vendor's own models are watches.
  const known = deviceType({ model, provider: 'suunto' });
  return { ...SUUNTO_SOURCE, deviceModel: model, deviceType: known === 'other' ? 'watch' : known, ...device };
}

/** Returns the common members of all replacements of a window. */
export function replacedWindow({ startMs, endMs }: TimeRange) {
  return { kind: 'replacement', provider: 'suunto', writer: WRITER, startMs, endMs } as const;
}

/** Returns a replacement of a window's scores with this id prefix. */
export function replacedScores(idPrefix: string, window: TimeRange): ReplacementRecord {
  return { ...replacedWindow(window), of: 'health_scores', idPrefix };
}
