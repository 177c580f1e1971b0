import type { SyncSource } from '@healthd/contract';

const KINDS: Record<SyncSource, string> = {
  pull: 'Pull',
  webhook: 'Notification',
  sdk: 'Phone push',
  backfill: 'Backfill',
  xml_import: 'Export file',
  linked_account: 'Linked account',
};

/** How the data of a run came in, as a person reads it. */
export function runKind(source: SyncSource): string {
  return KINDS[source];
}
