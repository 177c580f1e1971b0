import type { RouteSpec } from '@healthd/contract';
import { normalizeUuid } from '@healthd/schemas';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { Failure, type FailureCode } from '../platform/failures.js';
import { isAssistant } from './assistants.js';
import type { AuditDetails, Binding, Caller, RequestContext, UserRef } from './binding.js';
import { readBody } from './read-body.js';
import type { RouteServices } from './route-services.js';
import { sendResponse } from './send-response.js';
import { validateRequest } from './validate-request.js';

/** Reason of every request's abort signal. A separate error for each request would cost a stack trace. */
const CLOSED = new DOMException('The response was closed.', 'AbortError');

const REJECTIONS: ReadonlySet<FailureCode> = new Set(['unauthenticated', 'forbidden']);

/**
 * Returns false only if the credentials were rejected. If the authentication fails for another reason, such as an
 * outage, they count as accepted.
 */
function holds(authenticating: Promise<Caller>): Promise<boolean> {
  return authenticating.then(
    () => true,
    (error: unknown) => !(error instanceof Failure && REJECTIONS.has(error.code)),
  );
}

/**
 * Turns a binding into an Express handler: authenticates, reads and validates the request, finds the user, responds and
 * records the audit entry.
 */
export function handleRoute({ route, handler, findsUser = false }: Binding, services: RouteServices): RequestHandler {
  return async (request: Request, response: Response, next) => {
    const started = performance.now();
    const { requestId, log } = response.locals as Locals;
    // Failures of these routes are shown to users, because browsers follow redirects and submit page forms.
    response.locals.isForPeople = route.htmlFailures === true || route.status === 303;
    // Reads the IP address now, because an aborted request no longer has a socket.
    const address = request.ip;
    // Records rejected requests with the requested user too.
    const facts = {
      caller: { kind: 'public' } as Caller,
      userId: userIdOf(request),
      resourceId: resourceIdOf(route, request),
      needsNoRecord: false,
    };
    const note = (found: AuditDetails) => Object.assign(facts, found);
    const left = new AbortController();
    let recorded = false;
    let hasFailed = false;
    const record = async (status: number) => {
      if (recorded) return;
      recorded = true;
      if (!facts.needsNoRecord) await services.audit({ route, ...facts, status, requestId, address });
    };
    response.once('close', () => {
      left.abort(CLOSED);
      services.observe?.(route, response.statusCode, (performance.now() - started) / 1000);
      // Skips a request whose client disconnected before the handler ended. Its outcome is still unknown, so it is
      // recorded when the handler ends.
      if (hasFailed || response.headersSent) void record(response.statusCode);
    });
    try {
      let reading: Promise<void> | undefined;
      const readOnce = () => {
        reading ??= readBody(route, request, response);
        return reading;
      };
      const caller = await services.authenticate(route, request, readOnce);
      facts.caller = caller;
      await readOnce();
      const { params, query, body } = validateRequest(route, request, services.errorFormat);
      const id = (params as { user_id?: string } | undefined)?.user_id;
      facts.userId = id ?? (query as { user_id?: string } | undefined)?.user_id;
      const user = id === undefined || findsUser ? undefined : await knownUser(id, services);
      const isStillAllowed = () => holds(services.authenticate(route, request, readOnce));
      const common = { request, response, requestId, log, signal: left.signal, isStillAllowed, note };
      const result = await handler({
        ...common,
        params,
        query,
        body,
        user,
        caller,
        isAssistant: isAssistant(caller, request),
      } as unknown as RequestContext);
      // Stores the record before the first byte is sent, so that no data leaves without a record. A stream may last for
      // hours, so its end would be too late.
      if (!response.headersSent) await record(route.status);
      await sendResponse(route, request, response, result, services.checkAnswers);
    } catch (error) {
      hasFailed = true;
      next(error);
      if (left.signal.aborted) void record(response.statusCode);
    }
  };
}

interface Locals {
  requestId: string;
  log: Logger;
}

/** Returns the ID of the resource in the path for the audit trail. */
function resourceIdOf({ audit }: RouteSpec, { params }: Request): string | undefined {
  const id = 'id' in audit && audit.id !== undefined ? params[audit.id] : undefined;
  return typeof id === 'string' ? normalizeUuid(id) : undefined;
}

/** Returns the user in the path for the audit trail. */
function userIdOf({ params }: Request): string | undefined {
  return typeof params.user_id === 'string' ? normalizeUuid(params.user_id) : undefined;
}

/** Returns the user of a request. @throws Failure `not_found` */
async function knownUser(id: string, services: RouteServices): Promise<UserRef> {
  const user = await services.findUser(id);
  if (!user) throw new Failure('not_found', `User with ID: ${id} not found.`);
  return user;
}
