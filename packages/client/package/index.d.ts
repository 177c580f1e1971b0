import type { operations } from './openapi.js';

export type { components, operations, paths } from './openapi.js';

/** The service answered with an error. `message` is fit to be shown. */
export declare class ApiError extends Error {
  readonly name: 'ApiError';
  readonly status: number;
  /** Rows of a validation error; empty for every other error. */
  readonly problems: readonly { loc: (string | number)[]; msg: string; type: string; input?: unknown }[];
  /** Leads to the log of the service. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again, when the service says so. */
  readonly retryAfterSeconds: number | undefined;
}

/** No answer came: the service is not running, or not at this address. */
export declare class UnreachableError extends Error {
  readonly name: 'UnreachableError';
  readonly baseUrl: string;
  /** Whether the service did not answer in time, as opposed to not at all. */
  readonly isLate: boolean;
}

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

/** What a method takes: parameters of the path, of the query, and the body. */
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
/** What a method gives: the JSON of the answer, or the Response of a file or a stream. */
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

/** A client of one service. */
export declare function createClient(settings: ClientSettings): HealthdApi;
