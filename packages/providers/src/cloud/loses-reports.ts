import type { CloudProvider } from './cloud-provider.js';

/** Whether what a vendor reports may be lost for good on its way, so that it is polled once a day too. */
export function losesReports({ webhook, deliveries }: Pick<CloudProvider, 'webhook' | 'deliveries'>): boolean {
  return webhook?.losesEvents === true || deliveries?.losesDeliveries === true;
}
