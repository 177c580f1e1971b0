import type { SyncStatus } from '@healthd/contract';

const LOOK: Record<SyncStatus, [string, string]> = {
  in_progress: ['plain', 'running'],
  success: ['good', 'success'],
  partial: ['warn', 'partial'],
  failed: ['bad', 'failed'],
  cancelled: ['plain', 'cancelled'],
  skipped: ['plain', 'skipped'],
};

/** Badges of runs in progress that wait for a retry or are blocked. */
const WAITING = { retrying: 'warn', waiting: 'plain' } as const;

export function StatusBadge({ status, waiting }: { status: SyncStatus; waiting?: keyof typeof WAITING }) {
  const [look, word] = waiting ? [WAITING[waiting], waiting] : LOOK[status];
  return <span className={`badge ${look}`}>{word}</span>;
}
