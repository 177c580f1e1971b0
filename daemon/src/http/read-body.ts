import { parse as parseForm } from 'node:querystring';
import { bodyLimitOf } from '@healthd/contract';
import type { RouteDeclaration } from '@healthd/schemas';
import type { Request, Response } from 'express';
import { drainAndClose } from '../platform/drain-and-close.js';
import { Failure } from '../platform/failures.js';
import { MAX_DEPTH, MAX_VALUES, type ParsedJson, parseJson } from '../platform/json/index.js';
import { validationFailure } from './responses.js';
import { readBytes } from './read-bytes.js';

const IDLE_SECONDS = 60;

/** Parses the declared body into `request.body`. Ignores a body that the route does not declare. */
export async function readBody(route: RouteDeclaration, request: Request, response: Response): Promise<void> {
  if (!route.body || route.bodyType === 'raw' || !mayCarryBody(request)) return;
  const form = route.bodyType === 'form';
  const fault = contentTypeFault(request, form);
  if (fault) {
    if (request.headers['content-length'] === '0') return;
    drainAndClose(request, response);
    throw fault;
  }
  const bytes = await readBytes(request, response, bodyLimitOf(route), IDLE_SECONDS);
  if (form) request.body = parseForm(bytes.toString());
  // An empty body with a JSON content type counts as an empty object.
  else request.body = bytes.length === 0 ? {} : parsedValue(await parseJson(bytes));
}

function mayCarryBody({ headers }: Request): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Returns the failure for an unsupported content type. A body without a content type counts as JSON. */
function contentTypeFault({ headers }: Request, form: boolean): Failure | undefined {
  const type = headers['content-type'] ?? (form ? '' : 'application/json');
  const expected = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const fits = form ? /^application\/x-www-form-urlencoded\b/i : /^application\/([\w.-]+\+)?json\b/i;
  if (!fits.test(type)) return new Failure('unsupported_media_type', `The body's content type must be ${expected}.`);
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type) ?? [];
  if (/^(utf-?8|us-ascii)$/i.test(charset)) return undefined;
  return new Failure('unsupported_media_type', "The body's character set must be UTF-8.");
}

// Uses our own messages, because the parser's messages may quote the body.
function parsedValue(parsed: ParsedJson): unknown {
  if (!('fault' in parsed)) return parsed.value;
  throw validationFailure([{ loc: ['body'], msg: MESSAGES[parsed.fault], type: 'json_invalid' }]);
}

const MESSAGES = {
  invalid: 'JSON decode error',
  too_deep: `JSON is nested deeper than ${MAX_DEPTH} levels`,
  too_many_values: `JSON contains more than ${MAX_VALUES} values`,
};
