import type { RouteSpec } from '@healthd/contract';
import type { z } from 'zod';

/** What goes into a route and comes out of it. Response schemas have no transforms, so that JSON Schema can describe them. */
export interface RouteSchemas {
  /** One member for each name in the path. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers that change what the route does. The document names them; nothing is refused because of them. */
  headers?: z.ZodObject;
  /** Wrapped in `.optional()` where no body at all is fine. */
  body?: z.ZodType;
  response?: z.ZodType;
  /** Of the route's `furtherAnswers`, by status. */
  furtherResponses?: Readonly<Record<number, z.ZodType>>;
}

/** Names in the braces of a path. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** What a route must have: a schema of exactly the names in its path, and of its answer where that is JSON. */
export type SchemasFor<R extends RouteSpec> = RouteSchemas &
  ([NamesIn<R['path']>] extends [never]
    ? { params?: never }
    : { params: z.ZodObject<Record<NamesIn<R['path']>, z.ZodType>> }) &
  (R extends { status: 204 | 303 } | { produces: string } ? { response?: never } : { response: z.ZodType }) &
  (R extends { furtherAnswers: readonly { status: infer Status extends number }[] }
    ? { furtherResponses: Record<Status, z.ZodType> }
    : { furtherResponses?: never });
