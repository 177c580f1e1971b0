// The npm package of the client: one method for each operation of the API, by its id in the OpenAPI document.
import * as contract from '@healthd/contract';
import { type CallInput, HealthdClient } from './client.js';

export { ApiError, UnreachableError } from './errors.js';
export { canonicalRow, type DigestedRow, digestMessage } from '@healthd/model';
export * from './feed/index.js';

/** The service and credentials to use. */
export interface ClientSettings {
  /** URL of the service without a path, e.g. `https://health.example.org`. */
  baseUrl: string;
  /** API key (`sk-…`), for servers. It authorizes all operations that applications need. */
  apiKey?: string;
  /** Header with the API key; `X-Service-API-Key` unless the service is configured otherwise. */
  apiKeyHeader?: string;
  /**
   * Access token of a developer, or of one user's device. A function is called before every call that needs the token.
   */
  accessToken?: string | (() => string | Promise<string>);
  /** Replaces the global fetch, e.g. to set a time limit. */
  fetch?: typeof fetch;
}

type Method = (input?: CallInput<never>) => Promise<unknown>;

const ROUTES = Object.values(contract as Record<string, unknown>).filter(isRoute);

/**
 * Creates a client with one method for each operation. Operations with JSON responses return parsed JSON; operations
 * with files or streams return the Response.
 */
export function createClient(settings: ClientSettings): Record<string, Method> {
  const client = new HealthdClient({
    baseUrl: settings.baseUrl.replace(/\/+$/, ''),
    authorize: (route) => headersFor(settings, route),
    fetch: settings.fetch,
  });
  const methods = ROUTES.map((route): [string, Method] => [
    route.id,
    route.produces === undefined
      ? (input = {} as CallInput<never>) => client.call(route, input as never)
      : (input = {} as CallInput<never>) => client.send(route, input as never),
  ]);
  return Object.fromEntries(methods);
}

async function headersFor(settings: ClientSettings, { auth }: contract.RouteSpec): Promise<Record<string, string>> {
  const { apiKey, apiKeyHeader = 'X-Service-API-Key', accessToken } = settings;
  if (auth === 'public') return {};
  if (apiKey !== undefined && (accessToken === undefined || auth === 'key')) return { [apiKeyHeader]: apiKey };
  if (accessToken === undefined) return {};
  const token = typeof accessToken === 'string' ? accessToken : await accessToken();
  return { Authorization: `Bearer ${token}` };
}

function isRoute(value: unknown): value is contract.DeclaredRoute {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'id' in value;
}
