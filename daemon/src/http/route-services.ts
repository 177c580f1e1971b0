import type { RouteSpec } from '@healthd/contract';
import type { Request } from 'express';
import type { ErrorFormat } from './answers.js';
import type { Caller, UserRef } from './binding.js';

/** What the one wrapper around all handlers needs. */
export interface RouteServices {
  /**
   * Says who calls, or throws a failure when the route's credential class does not take what was sent. Calls `readBody`
   * where that is in the body; else the body is read only when this has succeeded.
   */
  authenticate(route: RouteSpec, request: Request, readBody: () => Promise<void>): Promise<Caller>;
  findUser(id: string): Promise<UserRef | undefined>;
  /** Records who did what to whose data; the answer of a write waits for it. */
  audit(entry: AuditEntry): void | Promise<void>;
  /** Called for every answered request of a declared route. */
  observe?: (route: RouteSpec, status: number, durationSeconds: number) => void;
  /** In `compat`, what no declaration names is ignored. */
  errorFormat: ErrorFormat;
  /** Checks answers against their declaration before they are sent; for tests. */
  checkAnswers: boolean;
}

/** One line of the audit trail, without values. */
export interface AuditEntry {
  route: RouteSpec;
  caller: Caller;
  userId: string | undefined;
  /** Which of the route's resources it was, where the route says so. */
  resourceId?: string | undefined;
  /** What was changed and why. */
  detail?: string | undefined;
  status: number;
  requestId: string;
  address: string | undefined;
}
