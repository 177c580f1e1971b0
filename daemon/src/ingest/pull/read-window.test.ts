import { OWN_QUOTA, VendorError } from '@healthd/providers';
import { expect, it } from 'vitest';
import { withQuota } from './read-window.js';

/** Returns a quota that allows this many requests, then reports a refill of one request every ten seconds. */
function quota(room: number) {
  let left = room;
  return {
    async call() {
      if (left-- > 0) return {};
      throw new VendorError({ code: 'rate_limited', reason: OWN_QUOTA, retryAfterMs: 4_000, perRequestMs: 10_000 });
    },
  };
}

async function read(requests: number, room: number): Promise<VendorError | 'read'> {
  try {
    await withQuota(quota(room), async (api) => {
      for (let n = 0; n < requests; n++) await api.call({ path: '/' });
    });
    return 'read';
  } catch (error) {
    if (error instanceof VendorError) return error;
    throw error;
  }
}

it('extends the wait for each request that a read must repeat', async () => {
  expect(await read(3, 3)).toBe('read');
  expect(await read(3, 0)).toMatchObject({ reason: OWN_QUOTA, retryAfterMs: 4_000 });
  expect(await read(3, 1)).toMatchObject({ reason: OWN_QUOTA, retryAfterMs: 14_000, perRequestMs: 10_000 });
  expect(await read(3, 1)).toMatchObject({ requestsToRepeat: 1 });
  expect(await read(3, 0)).toMatchObject({ requestsToRepeat: undefined });
  expect(await read(3, 2)).toMatchObject({ reason: OWN_QUOTA, retryAfterMs: 24_000 });
});

it('passes vendor rejections through unchanged', async () => {
  const error = new VendorError({ code: 'rate_limited', retryAfterMs: 1_000 });
  const api = { call: async () => Promise.reject(error) };
  const twice = withQuota(api, (counted) => counted.call({ path: '/' }).catch(() => counted.call({ path: '/' })));
  await expect(twice).rejects.toBe(error);
});
