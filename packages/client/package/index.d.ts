import type { operations } from './openapi.js';

export * from './canonical-row.js';
export * from './feed/index.js';
export type { components, operations, paths } from './openapi.js';

/** An error response from the service. `message` is safe to display. */
export declare class ApiError extends Error {
  readonly name: 'ApiError';
  readonly status: number;
  /** Rows of a validation error; empty for all other errors. */
  readonly problems: readonly { loc: (string | number)[]; msg: string; type: string; input?: unknown }[];
  /** Id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** Retry delay in seconds, if the service sent one. */
  readonly retryAfterSeconds: number | undefined;
}

/** Thrown if the service does not respond: it is not running, or not at this URL. */
export declare class UnreachableError extends Error {
  readonly name: 'UnreachableError';
  readonly baseUrl: string;
  /** True if the service did not respond in time, as opposed to being unreachable. */
  readonly isLate: boolean;
}

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

type Named<Name extends string, T> = [T] extends [never]
  ? { [K in Name]?: undefined }
  : undefined extends T
    ? { [K in Name]?: NonNullable<T> }
    : { [K in Name]: T };
type Path<O> = O extends { parameters: { path: infer P } } ? P : never;
type Query<O> = O extends { parameters: { query: infer Q } }
  ? Q
  : O extends { parameters: { query?: infer Q } }
    ? [NonNullable<Q>] extends [never]
      ? never
      : NonNullable<Q> | undefined
    : never;
type Content<T> = T extends { content: { 'application/json': infer B } }
  ? B
  : T extends { content: { 'application/x-www-form-urlencoded': infer B } }
    ? B
    : T extends { content: { 'multipart/form-data': unknown } }
      ? Blob
      : never;
type Body<O> = O extends { requestBody: infer B }
  ? Content<B>
  : O extends { requestBody?: infer B }
    ? [NonNullable<B>] extends [never]
      ? never
      : Content<NonNullable<B>> | undefined
    : never;

/** Input of a method: path parameters, query parameters and the body. */
export type Input<O> = Named<'params', Path<O>> &
  Named<'query', Query<O>> &
  Named<'body', Body<O>> & { signal?: AbortSignal };

type Good<R> = R extends { 200: infer A }
  ? A
  : R extends { 201: infer A }
    ? A
    : R extends { 202: infer A }
      ? A
      : R extends { 204: unknown }
        ? undefined
        : never;
/** Result of a method: the parsed JSON, or the Response for a file or a stream. */
export type Answer<O> = O extends { responses: infer R }
  ? Good<R> extends { content: { 'application/json': infer A } }
    ? A
    : Good<R> extends undefined
      ? undefined
      : Response
  : never;

type Method<O> =
  Record<never, never> extends Input<O>
    ? (input?: Input<O>) => Promise<Answer<O>>
    : (input: Input<O>) => Promise<Answer<O>>;

/** One method for each operation of the API, by its id in the OpenAPI document. */
export type HealthdApi = { readonly [Id in keyof operations]: Method<operations[Id]> };

/** Creates a client for one service. */
export declare function createClient(settings: ClientSettings): HealthdApi;
