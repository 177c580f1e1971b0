import { isRepeated, type Problem, type RouteDeclaration } from '@healthd/schemas';
import type { Request } from 'express';
import type { z } from 'zod';
import { type ErrorFormat, validationFailure } from './responses.js';
import { parseFinite } from './parse-finite.js';
import { type Part, problemsOf } from './problems.js';
import { unknownNameProblems } from './unknown-names.js';

/** Validated parts of a request. Absent parts are undefined. */
export interface ValidRequest {
  params: unknown;
  query: unknown;
  body: unknown;
}

/**
 * Validates a request against its route's declaration. Rejects undeclared names: if a misspelled name were ignored, the
 * service would seem broken. In `compat` format, accepts undeclared names, because clients of the compatible API send
 * such names.
 * @throws Failure `unprocessable` with all problems of all parts
 */
export function validateRequest(route: RouteDeclaration, request: Request, format: ErrorFormat): ValidRequest {
  const found: Problem[] = [];
  const read = (part: Part, schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const result = parseFinite(schema, value);
    if (result.success) return result.data;
    found.push(...problemsOf(part, result.error));
    return undefined;
  };
  const params = read('path', route.params, request.params);
  const query = read('query', route.query, route.query && lastOfEach(route.query, request.query));
  const bodySchema = route.bodyType === 'raw' ? undefined : route.body;
  const body = read('body', bodySchema, request.body);
  if (format === 'standard' && !route.ignoresUnknown) {
    found.push(...unknownNameProblems('query', route.query, request.query));
    if (bodySchema) found.push(...unknownNameProblems('body', bodySchema, request.body));
  }
  if (found.length > 0) throw validationFailure(found);
  return { params, query, body };
}

/** Keeps the last value of a repeated parameter, unless the parameter accepts several values. */
function lastOfEach(schema: z.ZodObject, query: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(schema.shape)) {
    const value = query[name];
    values[name] = Array.isArray(value) && !isRepeated(parameter) ? value.at(-1) : value;
  }
  return values;
}
