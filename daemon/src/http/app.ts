import { randomUUID } from 'node:crypto';
import { API_VERSION, VERSION_HEADER } from '@healthd/contract';
import type { PathAlias } from '@healthd/schemas';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { type Outage, outageOf } from '../platform/database/index.js';
import { Failure } from '../platform/failures.js';
import { loggedError } from '../platform/logged-error.js';
import { handleRoute } from './handle-route.js';
import { sendFailure, sendFailurePage, sendUnexpected, wantsPage } from './responses.js';
import type { Binding } from './binding.js';
import { compressResponses } from './compression.js';
import { allowOrigins } from './cors.js';
import type { RouteServices } from './route-services.js';

export interface AppOptions extends RouteServices {
  bindings: readonly Binding[];
  log: Logger;
  /** Express `trust proxy` setting: number or addresses of trusted proxies. */
  trustProxy: boolean | number | string | string[];
  /** Called for a write that failed because the disk is full. */
  onDiskFull?: () => void;
  /** Origins of other hosts whose pages may call the API. Default: none. */
  corsOrigins?: readonly string[];
  /** True if clients reach the service by https, so that browsers must never use http. Default: false. */
  isHttps?: boolean;
  /** Mounts files that the build has compressed. */
  mountPrecompressed?: (app: Express) => void;
  /** Mounts everything except declared routes: console, documents, health, icons. */
  mount?: (app: Express) => void;
}

/**
 * Content security policy in addition to helmet's defaults: styles and fonts only from this service, and inline styles
 * for small pages and progress bars.
 */
const CONTENT_SECURITY = {
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ["'self'"],
  'upgrade-insecure-requests': null,
};

/** Time for which browsers remember to use https only. */
const HSTS_SECONDS = 365 * 24 * 60 * 60;

/** Creates the Express application with headers, request IDs, logs, routes and error handling. */
export function createApp(given: AppOptions): Express {
  const options = { ...given, log: given.log.child({}, { serializers: { err: loggedError } }) };
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.set('etag', false);
  app.set('trust proxy', options.trustProxy);
  app.use(setSecurityHeaders(options.isHttps ?? false));
  app.use(identify(options.log));
  app.use(allowOrigins(options.corsOrigins ?? []));
  app.use('/api', noStore);
  options.mountPrecompressed?.(app);
  app.use(compressResponses());
  options.mount?.(app);
  app.use(routeBySegments(options));
  app.use((_request, _response, next) => next(new Failure('not_found', 'Not Found')));
  app.use(sendError(options));
  return app;
}

/** Returns middleware with helmet's headers. Computes them once, because they do not depend on the request. */
function setSecurityHeaders(isHttps: boolean): RequestHandler {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  } as unknown as Response;
  const setAll = helmet({
    contentSecurityPolicy: { directives: CONTENT_SECURITY },
    // Other hosts below this one may not support https, so the header does not cover them.
    strictTransportSecurity: isHttps && { maxAge: HSTS_SECONDS, includeSubDomains: false },
  });
  setAll({} as Request, recorder, (error?: unknown) => {
    if (error) throw error;
  });
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Converts a declared route's path to Express syntax. */
function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** A binding at one of its paths. `params` contains the values of parameters that this path omits. */
interface Mount {
  binding: Binding;
  params: PathAlias['params'];
}

/** Returns the bindings of each path. Literal paths precede parameterized paths that would match them. */
function mountsByPath(bindings: readonly Binding[]): [path: string, mounts: Mount[]][] {
  const byPath = new Map<string, Mount[]>();
  for (const binding of bindings) {
    const { path, aliases = [] } = binding.route;
    const paths: PathAlias[] = [{ path }, ...aliases];
    for (const { path: mounted, params } of paths) {
      byPath.set(mounted, [...(byPath.get(mounted) ?? []), { binding, params }]);
    }
  }
  // A brace sorts after every letter, so literal paths are first.
  return [...byPath].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Routes the bindings by the number of the path's segments, which no parameter changes. Express would compare each
 * request with every path before the matching one.
 */
function routeBySegments(options: AppOptions): RequestHandler {
  const routers = new Map<number, Router>();
  for (const [path, mounts] of mountsByPath(options.bindings)) {
    const count = segmentsOf(path);
    const router = routers.get(count) ?? express.Router({ caseSensitive: true });
    routers.set(count, router);
    mountPath(router, path, mounts, options);
  }
  return (request, response, next) => {
    const router = routers.get(segmentsOf(request.path));
    if (router) router(request, response, next);
    else next();
  };
}

/** Returns the number of a path's segments. Ignores a slash at the end, like Express. */
function segmentsOf(path: string): number {
  let count = path.endsWith('/') ? -1 : 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count++;
  return count;
}

/** Mounts the methods of one path. Rejects every other method and lists the allowed ones. */
function mountPath(router: Router, path: string, mounts: readonly Mount[], services: RouteServices): void {
  const allowed = new Set<string>();
  for (const { binding, params } of mounts) {
    const { method } = binding.route;
    const addParams: RequestHandler = (request, _response, next) => {
      Object.assign(request.params, params);
      next();
    };
    router[method.toLowerCase() as Lowercase<typeof method>](
      expressPath(path),
      addParams,
      handleRoute(binding, services),
    );
    allowed.add(method);
    if (method === 'GET') allowed.add('HEAD');
  }
  router.all(expressPath(path), (_request, response) => {
    response
      .status(405)
      .set('Allow', [...allowed].join(', '))
      .json({ detail: 'Method Not Allowed' });
  });
}

/** Log event of each request; its message is the method, the path and the status. */
const REQUEST_EVENT = 'request_answered';

/** Returns middleware that gives every request a logger and an ID. Uses the caller's own request ID if it is valid. */
function identify(log: Logger) {
  const logRequest = pinoHttp({
    logger: log,
    genReqId: (request) => {
      const sentId = request.headers['x-request-id'];
      return typeof sentId === 'string' && /^[\w.-]{1,64}$/.test(sentId) ? sentId : randomUUID();
    },
    wrapSerializers: false,
    // Logs only fields that help to find an error, never IP addresses or tokens.
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
      if (error || (response.statusCode >= 500 && !isDeliberate(response))) return 'error';
      if (response.statusCode === 503) return 'warn';
      // Probes run every few seconds and would flood the log.
      return request.url?.startsWith('/health/') ? 'debug' : 'info';
    },
    customSuccessObject: (_request, _response, line: object) => ({ event: REQUEST_EVENT, ...line }),
    customSuccessMessage: (request, response) =>
      `${request.method} ${pathOf(request.url ?? '')} ${response.statusCode}`,
    // Removes the error that the logger creates for every status of 500 or above.
    customErrorObject: (_request, response, _error, line: { err: unknown }) =>
      isDeliberate(response) ? { event: REQUEST_EVENT, ...line, err: undefined } : { event: REQUEST_EVENT, ...line },
    customErrorMessage: (request, response) => `${request.method} ${pathOf(request.url ?? '')} ${response.statusCode}`,
  });
  return (request: Request, response: Response, next: NextFunction) => {
    logRequest(request, response);
    const requestId = String(request.id);
    response.locals.requestId = requestId;
    response.locals.log = request.log;
    response.set('X-Request-ID', requestId).set(VERSION_HEADER, API_VERSION);
    next();
  };
}

/**
 * True for statuses of 500 or above without a server error: 501 for unsupported functions, and 503 for requests that a
 * client may retry.
 */
function isDeliberate({ statusCode, err }: { statusCode: number; err?: Error | undefined }): boolean {
  return err === undefined && (statusCode === 501 || statusCode === 503);
}

/** Returns the path for logs, without the query and without credentials that a caller put into the path. */
function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').replaceAll(/\b(sk|rt|cl)-[\w-]{8,}/g, '$1-***');
}

function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'no-store');
  next();
}

function sendError({ errorFormat, log, onDiskFull }: AppOptions) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const requestId = String(response.locals.requestId ?? '');
    const failure = asFailure(error);
    if (!failure)
      log.error({ event: 'unexpected_error', err: error, request_id: requestId }, 'Failed with an unexpected error');
    else if (failure.cause)
      log.warn(
        { event: 'request_failed', err: failure.cause, code: failure.code, request_id: requestId },
        `Failed a request: ${failure.message}`,
      );
    // The disk is full only if the failure has a cause. A failure without a cause reports a limit of the service, such
    // as a full inbox.
    if (failure?.code === 'storage_full' && failure.cause !== undefined) onDiskFull?.();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // Removes headers that a stream set before it failed.
    for (const name of ['Content-Type', 'Content-Disposition', 'Content-Encoding']) response.removeHeader(name);
    if (response.locals.isForPeople === true && wantsPage(request)) sendFailurePage(response, failure, requestId);
    else if (failure) sendFailure(response, failure, errorFormat);
    else sendUnexpected(response, requestId);
  };
}

function asFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  const outage = outageOf(error);
  if (outage) return outageFailure(outage, error);
  // Replaces Express's own 400 response to a path that cannot be decoded.
  return error instanceof URIError
    ? new Failure(
        'bad_request',
        'Cannot decode the path: a % in it must be followed by two hexadecimal digits of UTF-8.',
      )
    : undefined;
}

function outageFailure(outage: Outage, cause: unknown): Failure {
  if (outage === 'away') {
    const message = 'The database is not available. Nothing was stored; retry in a moment.';
    return new Failure('unavailable', message, { cause });
  }
  const message = "The server's disk is full. Nothing was stored; free disk space, then retry.";
  return new Failure('storage_full', message, { cause });
}
