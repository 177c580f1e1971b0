import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { isAssistant } from './assistants.js';
import type { AuditNote, Binding, Caller, RequestContext } from './binding.js';
import { readBody } from './read-body.js';
import type { RouteServices } from './route-services.js';
import { knownUser, resourceIdOf, userIdOf } from './route-user.js';
import { sendResponse } from './send-response.js';
import { holds } from './still-allowed.js';
import { validateRequest } from './validate-request.js';

/** Turns a binding into express handlers: authenticate, read the body, validate, find the user, answer, audit. */
export function answerRoute({ route, handler }: Binding, services: RouteServices): RequestHandler {
  return async (request: Request, response: Response, next) => {
    const started = performance.now();
    const { requestId, log } = response.locals as Locals;
    // Browsers follow redirects and send the forms of pages: their person reads what fails.
    response.locals.isForPeople = route.htmlFailures === true || route.status === 303;
    // Now: a request that was cut off has no socket any more to read it from.
    const address = request.ip;
    // Also an attempt that is refused is recorded with the person whose data was requested.
    const facts = {
      caller: { kind: 'public' } as Caller,
      userId: userIdOf(request),
      resourceId: resourceIdOf(route, request),
    };
    const note = (found: AuditNote) => Object.assign(facts, found);
    const left = new AbortController();
    let recorded = false;
    let hasFailed = false;
    const record = async (status: number) => {
      if (recorded) return;
      recorded = true;
      await services.audit({ route, ...facts, status, requestId, address });
    };
    response.once('close', () => {
      left.abort();
      services.observe?.(route, response.statusCode, (performance.now() - started) / 1000);
      // What a caller leaves behind goes on, and is recorded when it has ended: only then is it known how.
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
      const user = id === undefined ? undefined : await knownUser(id, services);
      const isStillAllowed = () => holds(services.authenticate(route, request, readOnce));
      const common = { request, response, requestId, log, signal: left.signal, isStillAllowed, note };
      const answer = await handler({
        ...common,
        params,
        query,
        body,
        user,
        caller,
        isAssistant: isAssistant(caller, request),
      } as unknown as RequestContext);
      // Before the first byte leaves, so that no data is handed out unrecorded; a stream may last for hours.
      if (!response.headersSent) await record(route.status);
      await sendResponse(route, request, response, answer, services.checkAnswers);
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
