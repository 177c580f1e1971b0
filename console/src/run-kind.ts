import type { SyncSource } from '@healthd/contract';

const KINDS: Record<SyncSource, string> = {
  pull: 'Sync',
  webhook: 'Webhook delivery',
  sdk: 'Device push',
  backfill: 'Backfill',
  xml_import: 'Import',
  linked_account: 'Linked account',
};

/** Returns the display name of a run type. */
export function runKind(source: SyncSource): string {
  return KINDS[source];
}
