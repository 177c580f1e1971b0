import { unprocessable } from '../platform/failures.js';

/** Where a page of the trail ended: time in epoch microseconds and number of its last record. */
export interface AuditCursor {
  micros: number;
  seq: number;
}

const FORM = /^v1\.(\d{1,17})\.(\d{1,16})$/;

/** A place as callers carry it. */
export function encodeCursor({ micros, seq }: AuditCursor): string {
  return Buffer.from(`v1.${micros}.${seq}`).toString('base64url');
}

/** @throws Failure `unprocessable` on `query.cursor` for a text that no page gave */
export function decodeCursor(text: string): AuditCursor {
  const [, micros, seq] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const position = { micros: Number(micros), seq: Number(seq) };
  if (!Number.isSafeInteger(position.micros) || !Number.isSafeInteger(position.seq)) {
    throw unprocessable(['query', 'cursor'], 'Invalid cursor format.');
  }
  return position;
}
