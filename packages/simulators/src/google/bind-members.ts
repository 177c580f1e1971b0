import { badRequest } from './api-failure.js';

/** Query parameters that all of the vendor's APIs accept. */
const STANDARD = ['fields', 'prettyPrint', 'alt', 'quotaUser', 'key', '$alt', '$prettyPrint'];

/**
 * Returns query parameters by their camel-case names. Accepts snake case too.
 * @throws a 400 response for an unknown parameter
 */
export function bindQuery(query: URLSearchParams, names: readonly string[]): Record<string, string> {
  const bound: Record<string, string> = {};
  for (const [key, value] of query) {
    const name = camel(key);
    if (names.includes(name)) bound[name] = value;
    else if (!STANDARD.includes(key)) {
      throw badRequest(
        `Invalid JSON payload received. Unknown name "${key}": Cannot bind query parameter. Field '${key}' could not be found in request message.`,
      );
    }
  }
  return bound;
}

/**
 * Returns the members of a JSON object by their camel-case names.
 * @param at the object's path, for the error message
 * @throws a 400 response for an unknown member or a value that is not an object
 */
export function bindObject(value: unknown, names: readonly string[], at = ''): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(`Invalid value at '${at || 'body'}': expected an object.`);
  }
  const bound: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const name = camel(key);
    if (!names.includes(name)) {
      const place = at === '' ? '' : ` at '${at}'`;
      throw badRequest(`Invalid JSON payload received. Unknown name "${key}"${place}: Cannot find field.`);
    }
    bound[name] = member;
  }
  return bound;
}

/**
 * @throws a 400 response for invalid JSON, such as a month written `03`
 */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest('Invalid JSON payload received. Unexpected token.');
  }
}

/**
 * Returns undefined if the value is missing.
 * @throws a 400 response unless it is a nonnegative integer
 */
export function bindCount(value: unknown, name: string): number | undefined {
  if (value === undefined || value === '') return undefined;
  const count = Number(value);
  if (!Number.isInteger(count) || count < 0) throw badRequest(`Invalid value at '${name}' (TYPE_INT32), "${value}"`);
  return count;
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
