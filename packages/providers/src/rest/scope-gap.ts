import { type VendorApi, VendorError, type VendorRequest } from '../cloud/index.js';

/**
 * Classifies a rejection from a vendor that reports missing scopes like invalid tokens. If a probe succeeds, the token
 * is valid and the scope is missing. If a probe fails for another reason, for example temporarily, the token's state is
 * unknown. In that case returns the probe's failure.
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
    } catch (cause) {
      if (!(cause instanceof VendorError) || cause.code !== 'unauthorized') return cause;
    }
  }
  return error;
}
