import { type VendorApi, VendorError, type VendorRequest } from '../cloud/index.js';

/**
 * What a refusal means at a vendor that answers a missing scope as it answers a dead token. Where one of the probes answers,
 * the token lives, and what was refused is a gap of scope. Where one of them fails otherwise, for example for now, nothing is
 * known of the token, and that failure counts.
 */
export async function asScopeGap(
  error: unknown,
  api: VendorApi,
  probes: readonly Pick<VendorRequest, 'path' | 'query'>[],
): Promise<unknown> {
  if (!(error instanceof VendorError) || error.code !== 'unauthorized' || error.status === undefined) return error;
  for (const probe of probes) {
    try {
      await api.call(probe);
      return new VendorError({ code: 'scope_missing', status: error.status });
    } catch (refused) {
      if (!(refused instanceof VendorError) || refused.code !== 'unauthorized') return refused;
    }
  }
  return error;
}
