import type { PullMode, TimeRange, VendorApi } from '../../../cloud/index.js';
import { GOOGLE_PULL } from '../adapter.js';
import { Held } from './held.js';

/** Reads all or some data types of a range window by window, like a sync. */
export async function pull(
  api: VendorApi,
  scopes: ReadonlySet<string>,
  range: TimeRange,
  mode: PullMode,
  { into = new Held(), only }: { into?: Held; only?: readonly string[] } = {},
): Promise<Held> {
  const account = await GOOGLE_PULL.account(api, scopes);
  for (const { id } of GOOGLE_PULL.dataTypes) {
    if (only && !only.includes(id)) continue;
    for (const window of GOOGLE_PULL.windows(id, range, mode, account)) {
      const { batch, rejections } = await GOOGLE_PULL.read(api, id, window, mode, account);
      if (rejections.total > 0) throw new Error(`${id}: ${JSON.stringify(rejections.byReason)}`);
      into.store(batch);
    }
  }
  return into;
}
