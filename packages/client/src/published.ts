// What the npm package of the client offers: one method for each operation of the API, by its id in the OpenAPI document.
import * as contract from '@healthd/contract';
import { type CallInput, HealthdClient } from './client.js';

export { ApiError, UnreachableError } from './errors.js';

/** Which service is called, and as whom. */
export interface ClientSettings {
  /** Address of the service without a path, e.g. `https://health.example.org`. */
  baseUrl: string;
  /** `sk-…`: for servers. It opens what applications need. */
  apiKey?: string;
  /** Header that carries the API key; `X-Service-API-Key` unless the service is set otherwise. */
  apiKeyHeader?: string;
  /** Of a developer, or of the device of one user; asked for before every call that it authorises. */
  accessToken?: string | (() => string | Promise<string>);
  /** In place of the global fetch, e.g. to set a time limit. */
  fetch?: typeof fetch;
}

type Method = (input?: CallInput<never>) => Promise<unknown>;

const ROUTES = Object.values(contract as Record<string, unknown>).filter(isRoute);

/**
 * A client with one method for each operation. Operations that answer with JSON give it parsed; those that answer with a
 * file or a stream give the Response itself.
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
