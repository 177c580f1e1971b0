import { type VendorApi, VendorError, type VendorRequest } from '../../cloud/index.js';
import { NOT_SUBSCRIBED, SUBSCRIPTION_KEY } from '../read-error.js';
import { WORKOUTS } from './read-workouts.js';

/** One of these answers where token and key are good: each belongs to another product of the vendor's portal. */
const PROBES: readonly Pick<VendorRequest, 'path' | 'query'>[] = [
  { path: WORKOUTS, query: { limit: 1 } },
  { path: '/247samples/recovery', query: { from: 0, to: 0 } },
];

/**
 * What a refusal of one kind of data means. The kinds are products to which the operator subscribes in the vendor's portal. A
 * product that is not subscribed to is answered 401, 403 or 404, as a dead token, a wrong key or an unknown address is. If
 * another product answers, the kind is left out. If none does, the operator's subscription is at fault, never the person.
 */
export async function asProductGap(error: unknown, api: VendorApi, path: string): Promise<unknown> {
  if (!(error instanceof VendorError) || !mayBeGap(error)) return error;
  for (const probe of PROBES.filter((one) => one.path !== path)) {
    try {
      await api.call(probe);
      return new VendorError({ code: 'scope_missing', status: error.status, reason: NOT_SUBSCRIBED });
    } catch (refused) {
      if (!(refused instanceof VendorError) || !mayBeGap(refused)) return refused;
    }
  }
  return error;
}

function mayBeGap({ code, status, reason }: VendorError): boolean {
  if (status === undefined) return false;
  const isOperators = code === 'operator' && (reason === SUBSCRIPTION_KEY || reason === NOT_SUBSCRIBED);
  return code === 'unauthorized' || code === 'not_found' || isOperators;
}
