import { isRepeated, type Problem, type RouteSpec } from '@healthd/api';
import type { Request } from 'express';
import type { z } from 'zod';
import { validationFailure } from './answers.js';
import { type Part, problemsOf } from './problems.js';

/** What a route gets of a request. Absent parts are undefined. */
export interface ValidRequest {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** Reads a request as the route declares it. @throws Failure `unprocessable` with all problems of all parts */
export function validateRequest(route: RouteSpec, request: Request): ValidRequest {
  const found: Problem[] = [];
  const read = (part: Part, schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const result = schema.safeParse(value, { reportInput: true });
    if (result.success) return result.data;
    found.push(...problemsOf(part, result.error));
    return undefined;
  };
  const params = read('path', route.params, request.params);
  const query = read('query', route.query, route.query && lastOfEach(route.query, request.query));
  const body = read('body', route.bodyType === 'raw' ? undefined : route.body, request.body);
  if (found.length > 0) throw validationFailure(found);
  return { params, query, body };
}

/** Of a parameter that is sent several times the last counts, unless it takes several. */
function lastOfEach(schema: z.ZodObject, query: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(schema.shape)) {
    const value = query[name];
    values[name] = Array.isArray(value) && !isRepeated(parameter) ? value.at(-1) : value;
  }
  return values;
}
