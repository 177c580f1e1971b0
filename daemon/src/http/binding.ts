import type { Parsed, ResponseOf, RouteDeclaration, RouteSchemas } from '@healthd/schemas';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';

export type Caller =
  | { kind: 'public' }
  | { kind: 'developer'; developerId: string; email: string; sessionId: string }
  | { kind: 'api_key'; keyId: string; scopes: readonly string[] | undefined }
  | { kind: 'sdk'; userId: string; appId: string }
  | { kind: 'application'; appId: string };

/** The user in the path, who exists. `userKey` is internal and never leaves the service. */
export interface UserRef {
  id: string;
  userKey: number;
}

/** Input of a handler, validated and authorized. */
export interface RequestContext<S extends RouteSchemas = RouteSchemas> {
  params: Parsed<S, 'params'>;
  query: Parsed<S, 'query'>;
  body: Parsed<S, 'body'>;
  /** Set on every route with `{user_id}` in its path. */
  user: Parsed<S, 'params'> extends { user_id: string } ? UserRef : undefined;
  caller: Caller;
  /** True if an assistant is reading: data whose vendor forbids AI use must be withheld. */
  isAssistant: boolean;
  requestId: string;
  log: Logger;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /**
   * Returns true if the credentials are still accepted, or if the database is unavailable. Long responses call it
   * repeatedly.
   */
  isStillAllowed(): Promise<boolean>;
  request: Request;
  response: Response;
  /** Adds details to the audit record: the identity of a public caller, the affected user, the resource. */
  note(facts: AuditDetails): void;
}

/** Audit facts that only the handler has. */
export interface AuditDetails {
  caller?: Caller;
  userId?: string;
  /** ID of the resource, if it is not a path parameter. */
  resourceId?: string;
  /** The change and its reason; never a health value. */
  detail?: string;
  /** True if an earlier record covers the request, or if the response contains no data. */
  needsNoRecord?: boolean;
}

/** A response that is sent in chunks instead of being built completely. */
export class StreamingResponse {
  constructor(
    readonly chunks: AsyncIterable<string | Uint8Array>,
    readonly headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' },
  ) {}
}

/** A route with its handler. */
export interface Binding {
  route: RouteDeclaration;
  handler: (context: RequestContext) => Promise<unknown>;
  /** True if the handler itself looks up the path's user, which saves a statement. */
  findsUser?: boolean;
}

/** Binds a declared route to its handler, typed by the route's schemas. */
export function bind<const R extends RouteDeclaration>(
  route: R,
  handler: (context: RequestContext<R>) => Promise<ResponseOf<R> | StreamingResponse>,
): Binding {
  return { route, handler: handler as unknown as Binding['handler'] };
}

/**
 * Does the same as {@link bind} for a handler that looks up the user itself.
 * @throws Failure `not_found`
 */
export function bindFinding<const R extends RouteDeclaration>(
  route: R,
  handler: (context: Omit<RequestContext<R>, 'user'>) => Promise<ResponseOf<R> | StreamingResponse>,
): Binding {
  return { route, handler: handler as unknown as Binding['handler'], findsUser: true };
}
