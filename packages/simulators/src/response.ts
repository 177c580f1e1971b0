/** Response of a simulated vendor. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Body that is not text; replaces `body`. */
  bytes?: Uint8Array;
}

/** Omits `undefined` members, like JSON. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** Returns a response with a file. */
export function file(bytes: Uint8Array): Answer {
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: '', bytes };
}

export function html(status: number, title: string, content: string): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${content}</body></html>\n`,
  };
}

export function redirect(location: string): Answer {
  return { status: 302, headers: { location, 'content-type': 'text/html; charset=UTF-8' }, body: '' };
}

/** Thrown by a handler to end a request with this response. */
export class ResponseError extends Error {
  constructor(readonly answer: Answer) {
    super(`answered ${answer.status}`);
  }
}
