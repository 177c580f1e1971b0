import type { RouteSpec } from '@healthd/contract';
import type { Request } from 'express';
import type { ErrorFormat } from './responses.js';
import type { Caller, UserRef } from './binding.js';

/** Services for the wrapper of all handlers. */
export interface RouteServices {
  /**
   * Returns the caller. Throws a failure if the route's credential class does not accept the request's credentials.
   * Calls `readBody` if the credentials are in the body; otherwise the body is read only after this call succeeds.
   */
  authenticate(route: RouteSpec, request: Request, readBody: () => Promise<void>): Promise<Caller>;
  findUser(id: string): Promise<UserRef | undefined>;
  /** Records the caller, the action and the affected user. The response to a write waits for the record. */
  audit(entry: AuditEntry): void | Promise<void>;
  /** Called for every completed request of a declared route. */
  observe?: (route: RouteSpec, status: number, durationSeconds: number) => void;
  /** Format of validation errors. `compat` also accepts requests with undeclared names. */
  errorFormat: ErrorFormat;
  /** If true, checks responses against their declaration before they are sent; for tests. */
  checkAnswers: boolean;
}

/** Data for the audit record of a request. Contains no health values. */
export interface AuditEntry {
  route: RouteSpec;
  caller: Caller;
  userId: string | undefined;
  /** ID of the route's resource, if the route declares it. */
  resourceId?: string | undefined;
  /** The change and its reason. */
  detail?: string | undefined;
  status: number;
  requestId: string;
  address: string | undefined;
}
