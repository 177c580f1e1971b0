import type { CredentialClass, RouteSpec } from '@healthd/contract';
import type { Request } from 'express';
import { Failure } from '../platform/failures.js';
import { isAssistant, rejectAssistant } from './assistants.js';
import type { Caller } from './binding.js';
import {
  bearerOf,
  type CredentialName,
  type CredentialServices,
  credentialReaders,
  isOwnPath,
  sentApiKey,
  sentApplication,
} from './credentials.js';

export interface GateOptions extends Omit<CredentialServices, 'apiKeyHeaders'> {
  /** SERVICE_NAME: adds an API key header with this name. */
  serviceName?: string | undefined;
  /**
   * IDs of routes that accept callers without a credential, by the operator's choice. Each is limited by IP address.
   */
  publicRoutes?: readonly string[];
}

/** Decides who may use a route. No other code makes this decision. */
export interface Gate {
  /**
   * Returns the caller. Counts calls against the limit per IP address before reading the body.
   * @param readBody called if the credentials are in the body
   * @throws Failure
   */
  authenticate(route: RouteSpec, request: Request, readBody: () => Promise<void>): Promise<Caller>;
  /** Header of the API key, as named in documents and messages. */
  apiKeyHeader: string;
}

const DEFAULT_SERVICE_NAME = 'Service';
const BEARER = { 'WWW-Authenticate': 'Bearer' };

/** Accepted credentials of each class, in order of precedence: a valid bearer token precedes an API key. */
const CREDENTIALS: Record<CredentialClass, readonly CredentialName[]> = {
  public: [],
  developer: ['developer'],
  key: ['developer', 'api_key'],
  sdk: ['sdk', 'api_key'],
  device: ['sdk'],
  application: ['application', 'developer'],
};

/** Creates the gate. Header names are case-insensitive. */
export function createGate({ serviceName = DEFAULT_SERVICE_NAME, publicRoutes = [], ...services }: GateOptions): Gate {
  const apiKeyHeader = apiKeyHeaderOf(serviceName);
  const names = new Set([apiKeyHeader, apiKeyHeaderOf(DEFAULT_SERVICE_NAME)].map((name) => name.toLowerCase()));
  const apiKeyHeaders = [...names];
  const readers = credentialReaders({ ...services, apiKeyHeaders });
  const isSdkToken = async (request: Request) => {
    const token = bearerOf(request);
    return token !== undefined && (await services.accounts.sessions.deviceOf(token)) !== undefined;
  };
  return {
    apiKeyHeader,
    async authenticate(route, request, readBody) {
      if (route.limit) await services.accounts.limits.countAddress(route.limit, request.ip);
      if (route.auth === 'public') return { kind: 'public' };
      if (route.auth === 'application') await readBody();
      const caller = await firstCaller(
        credentialsFor(route, request).map((name) => readers[name]),
        request,
      );
      if (caller) return permitted(route, caller, request);
      if (publicRoutes.includes(route.id) && !sentCredential(request, apiKeyHeaders)) {
        await services.accounts.limits.countAddress('connect', request.ip);
        return { kind: 'public' };
      }
      if (route.auth === 'application') throw applicationNeeded(request);
      if (route.auth === 'device') throw deviceNeeded();
      if (route.auth === 'developer') throw developerNeeded(await isSdkToken(request));
      if (sentApiKey(request, apiKeyHeaders)) throw new Failure('unauthenticated', 'Invalid or missing API key');
      throw credentialNeeded(route.auth, apiKeyHeader);
    },
  };
}

/** True if the request has a credential. On public routes too, an invalid credential is rejected. */
function sentCredential(request: Request, apiKeyHeaders: readonly string[]): boolean {
  return request.headers.authorization !== undefined || sentApiKey(request, apiKeyHeaders) !== undefined;
}

function apiKeyHeaderOf(serviceName: string): string {
  return `X-${serviceName}-API-Key`;
}

/**
 * Returns the credential types to try. If the body contains application credentials, tries only these credentials: if
 * they are invalid, the request is rejected even with a valid developer token.
 */
function credentialsFor(route: RouteSpec, request: Request): readonly CredentialName[] {
  return route.auth === 'application' && sentApplication(request) ? ['application'] : CREDENTIALS[route.auth];
}

/** Returns the caller of the first valid credential; undefined if no credential is valid. */
async function firstCaller(
  readers: readonly ((request: Request) => Promise<Caller | undefined>)[],
  request: Request,
): Promise<Caller | undefined> {
  for (const read of readers) {
    const caller = await read(request);
    if (caller) return caller;
  }
  return undefined;
}

function permitted(route: RouteSpec, caller: Caller, request: Request): Caller {
  if (caller.kind === 'sdk' && !isOwnPath(caller, request)) {
    throw new Failure('forbidden', 'Token does not match user_id');
  }
  if (isAssistant(caller, request)) {
    rejectAssistant(route);
    if (caller.kind === 'api_key' && caller.scopes?.includes('assistant')) return caller;
  }
  if (caller.kind === 'api_key' && caller.scopes && !(route.scope && caller.scopes.includes(route.scope))) {
    // Devices drop data after a 403 and keep it after a 401.
    const code = route.auth === 'sdk' ? 'unauthenticated' : 'forbidden';
    throw new Failure(code, `This API key lacks the scope '${route.scope ?? 'full access'}'.`);
  }
  return caller;
}

function developerNeeded(sdkToken: boolean): Failure {
  const message = sdkToken ? 'SDK tokens cannot be used on this endpoint' : 'Could not validate credentials';
  return new Failure('unauthenticated', message, { headers: BEARER });
}

function deviceNeeded(): Failure {
  return new Failure('unauthenticated', 'Authentication required: provide the SDK token of the user.', {
    headers: BEARER,
  });
}

function applicationNeeded(request: Request): Failure {
  if (sentApplication(request)) return new Failure('unauthenticated', 'Invalid app credentials');
  return new Failure('bad_request', 'Provide app_id and app_secret, or the access token of a developer as bearer.');
}

function credentialNeeded(auth: 'key' | 'sdk', apiKeyHeader: string): Failure {
  const token = auth === 'key' ? 'JWT token' : 'SDK token';
  return new Failure(
    'unauthenticated',
    `Authentication required: provide ${token} or API key. The API key goes into ${apiKeyHeader}, not into Authorization: Bearer.`,
  );
}
