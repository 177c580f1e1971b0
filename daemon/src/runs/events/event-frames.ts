import type { SyncStatusEvent } from '@healthd/schemas';

/** A stored event with its number, from which readers resume. */
export interface NumberedEvent {
  seq: number;
  event: SyncStatusEvent;
}

export const CONNECTED_FRAME = ': connected\n\n';
export const HEARTBEAT_FRAME = ': heartbeat\n\n';

/**
 * Formats one event for the stream, with a single `data` line: JSON text has no line breaks.
 * @param id number from which a client that has received this event resumes
 */
export function eventFrame({ seq, event }: NumberedEvent, id = seq): string {
  return `id: ${id}\nevent: sync.status\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Formats a frame without an event, which only changes the number from which the client resumes. */
export function positionFrame(seq: number): string {
  return `id: ${seq}\n\n`;
}

/** Returns the number in a `Last-Event-ID` header; undefined if it is missing or not an event number. */
export function lastEventId(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header.trim()) ? Number(header) : undefined;
}
