import { MS_PER_SECOND } from '@healthd/model';
import type { ProviderConfiguration, ProviderSetting, SignatureCheck } from '../cloud/index.js';

/** Setting for {@link checkAge}. */
export const WEBHOOK_TOLERANCE: ProviderSetting = {
  name: 'WEBHOOK_TOLERANCE_SECONDS',
  kind: 'digits',
  default: '300',
  help: 'Maximum difference between the signed time of a webhook and now; an older webhook may be a replay and is rejected',
};

/**
 * Checks the age of a delivery with a valid signature. An old or future delivery may be a replay.
 * @param sentMs signed time of the delivery
 */
export function checkAge(sentMs: number, { values }: Pick<ProviderConfiguration, 'values'>): SignatureCheck {
  const toleranceMs = Number(values.WEBHOOK_TOLERANCE_SECONDS ?? WEBHOOK_TOLERANCE.default) * MS_PER_SECOND;
  if (!Number.isFinite(sentMs)) return { verdict: 'refuse', problem: 'malformed' };
  if (Math.abs(Date.now() - sentMs) > toleranceMs) return { verdict: 'refuse', problem: 'stale' };
  return { verdict: 'accept' };
}
