import type { RouteSpec } from '@healthd/contract';
import type { z } from 'zod';
import type { TAGS } from './tags.js';

/** Another path of a route. `params` contains the parameters that this path does not name. */
export interface PathAlias {
  path: `/${string}`;
  params?: Readonly<Record<string, string>>;
}

/** Schemas of a request and its answers. Response schemas have no transforms, because JSON Schema cannot describe them. */
export interface RouteSchemas {
  /** One member for each name in the path. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers that change what the route does. The document names them; the service does not validate them. */
  headers?: z.ZodObject;
  /** Wrapped in `.optional()` if the body may be missing. */
  body?: z.ZodType;
  response?: z.ZodType;
  /** Schemas of the route's `furtherAnswers`, by status. */
  furtherResponses?: Readonly<Record<number, z.ZodType>>;
}

/**
 * One route, declared once. The server validates with it, the OpenAPI document describes it, and the client takes its types
 * from it. The build writes the part that callers need (`RouteSpec`) into `@healthd/contract`, without the schemas.
 */
export interface RouteDeclaration extends RouteSpec, RouteSchemas {
  /** Further paths of the same operation. The service serves them, and the document omits them. */
  aliases?: readonly PathAlias[];
  tag: keyof typeof TAGS;
  summary: string;
  description?: string;
  /**
   * True if the service ignores undeclared fields and query parameters instead of answering 422. Only for routes whose
   * callers do not follow this contract, such as vendors.
   */
  ignoresUnknown?: boolean;
  /** A second content type of the answer, for callers that ask for it. */
  alsoProduces?: string;
  /** Headers of the answer that other routes do not have. The document describes them. */
  responseHeaders?: readonly string[];
  /** Answers with another status that are not failures. */
  furtherAnswers?: readonly { status: number; description: string }[];
  /** Statuses of expected failures, in addition to those that follow from credentials, path and body. */
  errors?: readonly number[];
  /** True if `errors` are answered with a page for people. */
  htmlFailures?: boolean;
  deprecated?: boolean;
}

/** Names in the braces of a path. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Requires a schema of exactly the names in the path, of the answer if it is JSON, and of each further answer. */
type Complete<R extends RouteDeclaration> = ([NamesIn<R['path']>] extends [never]
  ? { params?: never }
  : { params: z.ZodObject<Record<NamesIn<R['path']>, z.ZodType>> }) &
  (R extends { status: 204 | 303 } | { produces: string } ? { response?: never } : { response: z.ZodType }) &
  (R extends { furtherAnswers: readonly { status: infer Status extends number }[] }
    ? { furtherResponses: Record<Status, z.ZodType> }
    : { furtherResponses?: never });

/** Declares a route and keeps its literal types. Does not compile while a schema is missing. */
export function defineRoute<const R extends RouteDeclaration>(route: R & Complete<R>): R {
  return route;
}
