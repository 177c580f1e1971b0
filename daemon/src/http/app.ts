import { randomUUID } from 'node:crypto';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { Failure } from '../failures.js';
import { loggedError } from '../logged-error.js';
import { answerRoute, type RouteServices } from './answer-route.js';
import { type ErrorFormat, sendFailure, sendUnexpected } from './answers.js';
import type { Binding } from './binding.js';
import { allowOrigins } from './cors.js';

export interface AppOptions extends RouteServices {
  bindings: readonly Binding[];
  log: Logger;
  errorFormat: ErrorFormat;
  /** Number of proxies in front, or addresses of them, as express takes it. */
  trustProxy: boolean | number | string | string[];
  /** Origins of other hosts whose pages may call the API; none without it. */
  corsOrigins?: readonly string[];
  /** Mounts what is no declared route: console, documents, health, icons. */
  mount?: (app: Express) => void;
}

/** The express application: one place for headers, request ids, logs, routes and errors. */
export function createApp(given: AppOptions): Express {
  const options = { ...given, log: given.log.child({}, { serializers: { err: loggedError } }) };
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.set('etag', false);
  app.set('trust proxy', options.trustProxy);
  app.use(
    helmet({
      contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
      strictTransportSecurity: false,
    }),
  );
  app.use(identify(options.log));
  app.use(allowOrigins(options.corsOrigins ?? []));
  app.use('/api', noStore);
  options.mount?.(app);
  for (const binding of options.bindings) mountRoute(app, binding, options);
  refuseOtherMethods(app, options.bindings);
  app.use((_request, _response, next) => next(new Failure('not_found', 'Not Found')));
  app.use(answerError(options));
  return app;
}

/** Path of a declared route as express writes it. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function mountRoute(app: Express, binding: Binding, services: RouteServices): void {
  const method = binding.route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  for (const path of [binding.route.path, ...(binding.route.aliases ?? [])]) {
    app[method](expressPath(path), answerRoute(binding, services));
  }
}

function refuseOtherMethods(app: Express, bindings: readonly Binding[]): void {
  const methods = new Map<string, Set<string>>();
  for (const { route } of bindings) {
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const allowed = methods.get(path) ?? new Set();
      methods.set(path, allowed.add(route.method));
      if (route.method === 'GET') allowed.add('HEAD');
    }
  }
  for (const [path, allowed] of methods) {
    app.all(expressPath(path), (_request, response) => {
      response
        .status(405)
        .set('Allow', [...allowed].join(', '))
        .json({ detail: 'Method Not Allowed' });
    });
  }
}

/** Gives every request an id, the caller's own if it is a sane one, and a log that carries it. */
function identify(log: Logger) {
  const logRequest = pinoHttp({
    logger: log,
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
    },
    wrapSerializers: false,
    // Addresses of people and tokens stay out of the log: only what helps to find a fault.
    serializers: {
      req: (request: { id: string; method: string; url: string }) => ({
        id: request.id,
        method: request.method,
        path: pathOf(request.url),
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      err: loggedError,
    },
    customLogLevel: (request, response, error) => {
      if (error || response.statusCode >= 500) return 'error';
      // Probes come every few seconds and would bury the rest.
      return request.url?.startsWith('/health/') ? 'debug' : 'info';
    },
    customSuccessMessage: (request, response) =>
      `${request.method} ${pathOf(request.url ?? '')} ${response.statusCode}`,
    customErrorMessage: (request, response) => `${request.method} ${pathOf(request.url ?? '')} ${response.statusCode}`,
  });
  return (request: Request, response: Response, next: NextFunction) => {
    logRequest(request, response);
    const requestId = String(request.id);
    response.locals.requestId = requestId;
    response.locals.log = request.log;
    response.set('X-Request-ID', requestId);
    next();
  };
}

/** The path as logs show it: no query, and no credential that somebody put into the path. */
function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').replaceAll(/\b(sk|rt)-[\w-]{8,}/g, '$1-***');
}

function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'no-store');
  next();
}

function answerError({ errorFormat, log }: AppOptions) {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const requestId = String(response.locals.requestId ?? '');
    const failure = asFailure(error);
    if (!failure) log.error({ err: error, request_id: requestId }, 'unexpected error');
    else if (failure.cause)
      log.warn({ err: failure.cause, code: failure.code, request_id: requestId }, failure.message);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // What a stream announced before it failed
    for (const name of ['Content-Type', 'Content-Disposition', 'Content-Encoding']) response.removeHeader(name);
    if (failure) sendFailure(response, failure, errorFormat);
    else sendUnexpected(response, requestId);
  };
}

function asFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  // express answers a path that cannot be decoded with a 400 of its own
  return error instanceof URIError ? new Failure('bad_request', 'The path could not be decoded.') : undefined;
}
