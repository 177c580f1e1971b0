import { OWN_QUOTA, type VendorApi, VendorError } from '@healthd/providers';

/**
 * What is begun must end within the quota: where there is no room for a further request, the reading comes back once there is
 * room for those before it too, which are then sent again.
 */
export async function withRoom<T>(api: VendorApi, work: (api: VendorApi) => Promise<T>): Promise<T> {
  let requests = 0;
  const call: VendorApi['call'] = (request) => {
    requests += 1;
    return api.call(request);
  };
  try {
    return await work({ ...api, call });
  } catch (error) {
    if (!(error instanceof VendorError) || error.reason !== OWN_QUOTA || requests < 2) throw error;
    const { code, reason, retryAfterMs = 0, perRequestMs } = error;
    const before = (requests - 1) * (perRequestMs ?? retryAfterMs);
    throw new VendorError({
      code,
      reason,
      retryAfterMs: retryAfterMs + before,
      requestsToRepeat: requests - 1,
      ...(perRequestMs !== undefined && { perRequestMs }),
    });
  }
}
