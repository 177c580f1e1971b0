import type { PullMode } from '../../../cloud/index.js';
import { GOOGLE_CLOUD } from '../../cloud.js';

function mode(granularity: PullMode['granularity'], reconcile: boolean): PullMode {
  const { addresses, oauth } = GOOGLE_CLOUD;
  const values = { USE_RECONCILE: String(reconcile) };
  return { granularity, configuration: { scope: oauth.defaultScope, addresses, values } };
}

/** All read modes. */
export const MODES = {
  reconcile: mode('raw', true),
  list: mode('raw', false),
  hourly: mode('hourly', true),
  daily: mode('daily', true),
} as const;
