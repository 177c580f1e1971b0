import type { ProviderId } from '@healthd/model';
import { type FileAdapter, providerById } from '@healthd/providers';

/** How files of a provider are accepted and read. @throws TypeError for a provider that has none: no route leads there */
export function fileAdapterOf(provider: ProviderId): FileAdapter {
  const file = providerById(provider)?.file;
  if (!file) throw new TypeError(`${provider} has no files`);
  return file;
}
