import { isRepeated, type Problem, type RouteSpec } from '@healthd/api';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { Failure } from '../failures.js';
import { validationFailure } from './answers.js';
import { type Binding, type Caller, type KnownUser, type RequestContext, StreamedAnswer } from './binding.js';
import { type Part, problemsOf } from './problems.js';

/** What the one wrapper around all handlers needs. */
export interface RouteServices {
  /** Says who calls, or throws a failure when the route's credential class does not take what was sent. */
  authenticate(route: RouteSpec, request: Request): Promise<Caller>;
  findUser(id: string): Promise<KnownUser | undefined>;
  /** Records who did what to whose data. */
  audit(entry: AuditEntry): void;
  /** Checks answers against their declaration before they are sent; for tests. */
  checkAnswers: boolean;
}

/** One line of the audit trail, without values. */
export interface AuditEntry {
  route: RouteSpec;
  caller: Caller;
  userId: string | undefined;
  status: number;
  requestId: string;
  address: string | undefined;
}

const MAX_JSON_BYTES = 10 * 1024 * 1024;
const parseJson = express.json({ limit: MAX_JSON_BYTES, strict: false, type: isJson });
const parseForm = express.urlencoded({ extended: false, limit: 64 * 1024 });

/** Turns a binding into express handlers: authenticate, read the body, validate, find the user, answer, audit. */
export function answerRoute({ route, handler }: Binding, services: RouteServices): RequestHandler {
  return async (request: Request, response: Response, next) => {
    let caller: Caller = { kind: 'public' };
    let userId: string | undefined;
    response.once('finish', () => {
      const { requestId } = response.locals as Locals;
      services.audit({ route, caller, userId, status: response.statusCode, requestId, address: request.ip });
    });
    try {
      caller = await services.authenticate(route, request);
      await readBody(route, request, response);
      const { params, query, body } = validate(route, request);
      const user = await knownUser(params, services);
      userId = user?.id ?? (params?.user_id as string | undefined);
      const context = { ...common(request, response), params, query, body, user, caller } as unknown as RequestContext;
      await send(route, response, await handler(context), services.checkAnswers);
    } catch (error) {
      next(error);
    }
  };
}

interface Locals {
  requestId: string;
  log: Logger;
}

function common(request: Request, response: Response) {
  const { requestId, log } = response.locals as Locals;
  const left = new AbortController();
  response.once('close', () => left.abort());
  return { request, response, requestId, log, signal: left.signal };
}

function isJson(request: { headers: { 'content-type'?: string } }): boolean {
  const type = request.headers['content-type'];
  return type === undefined || /^application\/([\w.-]+\+)?json\b/i.test(type);
}

async function readBody(route: RouteSpec, request: Request, response: Response): Promise<void> {
  if (!route.body) return;
  const parse = route.bodyType === 'form' ? parseForm : parseJson;
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(bodyFailure(error)) : resolve()));
  });
  if (request.body === undefined && Number(request.headers['content-length'] ?? 0) > 0) {
    const expected = route.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
    throw new Failure('unsupported_media_type', `The body's content type must be ${expected}.`);
  }
}

function bodyFailure(error: unknown): unknown {
  const type = (error as { type?: unknown }).type;
  if (type === 'entity.too.large')
    return new Failure('payload_too_large', 'The request body is too large.', { cause: error });
  if (type === 'entity.parse.failed') {
    return validationFailure([{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]);
  }
  if (typeof (error as { status?: unknown }).status === 'number') {
    return new Failure('bad_request', 'The request body could not be read.', { cause: error });
  }
  return error;
}

function validate(route: RouteSpec, request: Request) {
  const found: Problem[] = [];
  const rows = (part: Part, schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const result = schema.safeParse(value, { reportInput: true });
    if (result.success) return result.data;
    found.push(...problemsOf(part, result.error));
    return undefined;
  };
  const params = rows('path', route.params, request.params) as Record<string, unknown> | undefined;
  const query = rows('query', route.query, route.query && lastOfEach(route.query, request.query));
  const body = rows('body', route.body, request.body);
  if (found.length > 0) throw validationFailure(found);
  return { params, query, body };
}

function lastOfEach(schema: z.ZodObject, query: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(schema.shape)) {
    const value = query[name];
    values[name] = Array.isArray(value) && !isRepeated(parameter) ? value.at(-1) : value;
  }
  return values;
}

async function knownUser(
  params: Record<string, unknown> | undefined,
  services: RouteServices,
): Promise<KnownUser | undefined> {
  const id = params?.user_id;
  if (typeof id !== 'string') return undefined;
  const user = await services.findUser(id);
  if (!user) throw new Failure('not_found', `User with ID: ${id} not found.`);
  return user;
}

async function send(route: RouteSpec, response: Response, answer: unknown, check: boolean): Promise<void> {
  if (response.headersSent) return;
  response.status(route.status);
  if (answer instanceof StreamedAnswer) return sendStream(response, answer);
  if (route.status === 204) {
    response.end();
    return;
  }
  if (check && route.response) route.response.parse(answer);
  response.json(answer);
}

async function sendStream(response: Response, answer: StreamedAnswer): Promise<void> {
  response.set(answer.headers);
  for await (const chunk of answer.chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await new Promise<void>((resolve) => onceEither(response, resolve));
  }
  response.end();
}

function onceEither(response: Response, resolve: () => void): void {
  const done = () => {
    response.off('drain', done);
    response.off('close', done);
    resolve();
  };
  response.once('drain', done);
  response.once('close', done);
}
