import type { Parsed, ResponseOf, RouteDeclaration, RouteSchemas } from '@healthd/schemas';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';

/** Who sends the request. */
export type Caller =
  | { kind: 'public' }
  | { kind: 'developer'; developerId: string; email: string; sessionId: string }
  | { kind: 'api_key'; keyId: string; scopes: readonly string[] | undefined }
  | { kind: 'sdk'; userId: string; appId: string }
  | { kind: 'application'; appId: string };

/** The user named in the path, known to exist. `userKey` is internal and never leaves the service. */
export interface UserRef {
  id: string;
  userKey: number;
}

/** What a handler works with; everything in it is validated and authorised. */
export interface RequestContext<S extends RouteSchemas = RouteSchemas> {
  params: Parsed<S, 'params'>;
  query: Parsed<S, 'query'>;
  body: Parsed<S, 'body'>;
  /** Set on every route with `{user_id}` in its path. */
  user: Parsed<S, 'params'> extends { user_id: string } ? UserRef : undefined;
  caller: Caller;
  /** True if an assistant reads: data whose vendor forbids AI use must be withheld. */
  isAssistant: boolean;
  requestId: string;
  log: Logger;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  /** Whether the request's credentials open the route still, for answers that last. While the database is away they do. */
  isStillAllowed(): Promise<boolean>;
  request: Request;
  response: Response;
  /** Completes the audit record: who a public caller turned out to be, whose record came into being, which one it is. */
  note(facts: AuditNote): void;
}

/** What only the handler knows for the audit trail. */
export interface AuditNote {
  caller?: Caller;
  userId?: string;
  /** Which resource it was, where no parameter of the path says so. */
  resourceId?: string;
  /** What was changed and why; never a health value. */
  detail?: string;
}

/** An answer sent piece by piece instead of being built whole. */
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
}

/** Joins a declared route with the function that answers it. The types of its schemas hold for both. */
export function bind<const R extends RouteDeclaration>(
  route: R,
  handler: (context: RequestContext<R>) => Promise<ResponseOf<R> | StreamingResponse>,
): Binding {
  return { route, handler: handler as unknown as Binding['handler'] };
}
