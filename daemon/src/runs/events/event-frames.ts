import type { SyncStatusEvent } from '@healthd/schemas';

/** A stored event with the number by which readers go on. */
export interface NumberedEvent {
  seq: number;
  event: SyncStatusEvent;
}

export const CONNECTED_FRAME = ': connected\n\n';
export const HEARTBEAT_FRAME = ': heartbeat\n\n';

/**
 * One event as the stream carries it. JSON has no line breaks, so it is one `data` line.
 * @param id where a client goes on that has it
 */
export function eventFrame({ seq, event }: NumberedEvent, id = seq): string {
  return `id: ${id}\nevent: sync.status\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Moves the number from which a client goes on, without an event. */
export function positionFrame(seq: number): string {
  return `id: ${seq}\n\n`;
}

/** The number in a `Last-Event-ID` header; undefined when it is none of ours. */
export function lastEventId(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header.trim()) ? Number(header) : undefined;
}
