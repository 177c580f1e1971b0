import type { SyncStatus } from '@healthd/api';

const LOOK: Record<SyncStatus, [string, string]> = {
  in_progress: ['plain', 'running'],
  success: ['good', 'success'],
  partial: ['warn', 'partial'],
  failed: ['bad', 'failed'],
  cancelled: ['plain', 'cancelled'],
  skipped: ['plain', 'skipped'],
};

export function StatusBadge({ status }: { status: SyncStatus }) {
  const [look, word] = LOOK[status];
  return <span className={`badge ${look}`}>{word}</span>;
}
