import { type Answer, html } from '../answer.js';
import type { Call as VendorCall } from '../vendor/index.js';
import type { Fault, Operation, Role } from './fault-types.js';

/** A request with what has been found out about it before it is handled. */
export interface Call extends VendorCall<Role> {
  dataType?: string;
  operation?: Operation;
  fault?: Fault;
}

/** Ends the handling of a request with this answer. */
export class AnswerInstead extends Error {
  constructor(readonly answer: Answer) {
    super(`answered ${answer.status}`);
  }
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
