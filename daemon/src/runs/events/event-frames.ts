import type { SyncStatusEvent } from '@healthd/schemas';

/** A stored event with the number by which readers go on. */
export interface NumberedEvent {
  seq: number;
  event: SyncStatusEvent;
}

export const CONNECTED_FRAME = ': connected\n\n';
export const HEARTBEAT_FRAME = ': heartbeat\n\n';

/** One event as the stream carries it. JSON has no line breaks, so it is one `data` line. */
export function eventFrame({ seq, event }: NumberedEvent): string {
  return `id: ${seq}\nevent: sync.status\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The number in a `Last-Event-ID` header; undefined when it is none of ours. */
export function lastEventId(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header.trim()) ? Number(header) : undefined;
}
