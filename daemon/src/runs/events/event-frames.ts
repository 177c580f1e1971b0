import type { SyncStatusEvent } from '@healthd/schemas';

/** A stored event with the number that readers resume from. */
export interface NumberedEvent {
  seq: number;
  event: SyncStatusEvent;
}

export const CONNECTED_FRAME = ': connected\n\n';
export const HEARTBEAT_FRAME = ': heartbeat\n\n';

/**
 * Formats one event for the stream. JSON has no line breaks, so it is one `data` line.
 * @param id number that a client with this event resumes from
 */
export function eventFrame({ seq, event }: NumberedEvent, id = seq): string {
  return `id: ${id}\nevent: sync.status\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Formats a frame that moves the client's resume number without an event. */
export function positionFrame(seq: number): string {
  return `id: ${seq}\n\n`;
}

/** Returns the number in a `Last-Event-ID` header; undefined if this service did not create the header. */
export function lastEventId(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header.trim()) ? Number(header) : undefined;
}
