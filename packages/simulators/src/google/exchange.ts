import type { IncomingHttpHeaders } from 'node:http';
import type { Fault, Operation, Role } from './fault-types.js';

/** A request with what has been found out about it before it is handled. */
export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  role: Role;
  /** Control id of the account whose token came along. */
  account?: string;
  dataType?: string;
  operation?: Operation;
  fault?: Fault;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Ends the handling of a request with this answer. */
export class AnswerInstead extends Error {
  constructor(readonly answer: Answer) {
    super(`answered ${answer.status}`);
  }
}

/** `undefined` members are left out, as JSON does. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(value),
  };
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

/** What the vendor's front end says to a wrong path or verb: a page, not JSON. */
export function notFoundPage(path: string): Answer {
  const shown = path.replace(/[<>&"]/g, '');
  return html(
    404,
    'Error 404 (Not Found)!!1',
    `<p><b>404.</b> The requested URL <code>${shown}</code> was not found.</p>`,
  );
}
