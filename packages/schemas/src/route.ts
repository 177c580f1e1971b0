import type { RouteSpec } from '@healthd/contract';
import type { z } from 'zod';
import type { TAGS } from './tags.js';

/** Another path of a route. `params` contains the parameters that this path does not name. */
export interface PathAlias {
  path: `/${string}`;
  params?: Readonly<Record<string, string>>;
}

/** Schemas of a request and its responses. Response schemas have no transforms, because JSON Schema cannot describe them. */
export interface RouteSchemas {
  /** Path parameters, one member per name in the path. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers that change the route's behavior. The document lists them; the service does not validate them. */
  headers?: z.ZodObject;
  /** Wrapped in `.optional()` if the body is optional. */
  body?: z.ZodType;
  response?: z.ZodType;
  /** Schemas of the route's `furtherAnswers`, by status. */
  furtherResponses?: Readonly<Record<number, z.ZodType>>;
}

/**
 * Declares a route. The server validates with it, the OpenAPI document describes it, and the client infers its types from
 * it. The build writes the part without schemas (`RouteSpec`) to `@healthd/contract`.
 */
export interface RouteDeclaration extends RouteSpec, RouteSchemas {
  /** Aliases of the path. The service serves them, and the document omits them. */
  aliases?: readonly PathAlias[];
  tag: keyof typeof TAGS;
  summary: string;
  description?: string;
  /**
   * True if the service ignores undeclared fields and query parameters instead of responding 422. Only for routes whose
   * callers do not follow this contract, such as vendors.
   */
  ignoresUnknown?: boolean;
  /** Second content type of the response, for clients that request it. */
  alsoProduces?: string;
  /** Response headers that are specific to this route. The document lists them. */
  responseHeaders?: readonly string[];
  /** Additional success responses by status. */
  furtherAnswers?: readonly { status: number; description: string }[];
  /** Expected error statuses, in addition to the statuses that follow from credentials, path and body. */
  errors?: readonly number[];
  /** True if `errors` are returned as HTML pages. */
  htmlFailures?: boolean;
  deprecated?: boolean;
}

/** Names in the braces of a path. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Requires a schema for every path parameter, for a JSON response and for each additional response. */
type Complete<R extends RouteDeclaration> = ([NamesIn<R['path']>] extends [never]
  ? { params?: never }
  : { params: z.ZodObject<Record<NamesIn<R['path']>, z.ZodType>> }) &
  (R extends { status: 204 | 303 } | { produces: string } ? { response?: never } : { response: z.ZodType }) &
  (R extends { furtherAnswers: readonly { status: infer Status extends number }[] }
    ? { furtherResponses: Record<Status, z.ZodType> }
    : { furtherResponses?: never });

/** Declares a route and keeps its literal types. Does not compile if a schema is missing. */
export function defineRoute<const R extends RouteDeclaration>(route: R & Complete<R>): R {
  return route;
}
