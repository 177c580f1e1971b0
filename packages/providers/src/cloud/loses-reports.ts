import type { CloudProvider } from './cloud-provider.js';

/** True if the vendor's reports may be lost permanently in transit. The provider is then also polled once a day. */
export function losesReports({ webhook, deliveries }: Pick<CloudProvider, 'webhook' | 'deliveries'>): boolean {
  return webhook?.losesEvents === true || deliveries?.losesDeliveries === true;
}
