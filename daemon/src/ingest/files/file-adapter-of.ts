import type { ProviderId } from '@healthd/model';
import { type FileAdapter, providerById } from '@healthd/providers';

/**
 * Returns the provider's file adapter.
 * @throws TypeError if the provider has no file adapter; the routes prevent this
 */
export function fileAdapterOf(provider: ProviderId): FileAdapter {
  const file = providerById(provider)?.file;
  if (!file) throw new TypeError(`${provider} has no files`);
  return file;
}
