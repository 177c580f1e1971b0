import type { RouteSpec } from '@healthd/api';
import express, { type Request, type Response } from 'express';
import { Failure } from '../failures.js';
import { validationFailure } from './answers.js';
import { limitIdle } from './idle-limit.js';

const MAX_JSON_BYTES = 10 * 1024 * 1024;
const MAX_FORM_BYTES = 64 * 1024;
const IDLE_SECONDS = 60;

const parseJson = express.json({ limit: MAX_JSON_BYTES, strict: false, type: isJson });
const parseForm = express.urlencoded({ extended: false, limit: MAX_FORM_BYTES });

/** Parses the body that a route declares into `request.body`; nothing is read of any other. */
export async function readBody(route: RouteSpec, request: Request, response: Response): Promise<void> {
  if (!route.body || route.bodyType === 'raw') return;
  const form = route.bodyType === 'form';
  const parse = form ? parseForm : parseJson;
  const limit = limitIdle(request, IDLE_SECONDS);
  const parsed = new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(bodyFailure(error)) : resolve()));
  });
  await Promise.race([parsed, limit.exceeded]).finally(limit.release);
  if (request.body === undefined && carriesBody(request)) {
    const expected = form ? 'application/x-www-form-urlencoded' : 'application/json';
    throw new Failure('unsupported_media_type', `The body's content type must be ${expected}.`);
  }
}

/** A body without a content type is taken for JSON. */
function isJson(request: { headers: { 'content-type'?: string } }): boolean {
  const type = request.headers['content-type'];
  return type === undefined || /^application\/([\w.-]+\+)?json\b/i.test(type);
}

function carriesBody(request: Request): boolean {
  return Number(request.headers['content-length'] ?? 0) > 0 || request.headers['transfer-encoding'] !== undefined;
}

// The parser's own messages can quote the body, so they are no answer and no cause.
function bodyFailure(error: unknown): unknown {
  const { type, status } = error as { type?: unknown; status?: unknown };
  if (type === 'entity.too.large') return new Failure('payload_too_large', 'The request body is too large.');
  if (type === 'entity.parse.failed') {
    return validationFailure([{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]);
  }
  if (status === 415) {
    return new Failure('unsupported_media_type', 'The encoding or character set of the body is not supported.');
  }
  return typeof status === 'number' ? new Failure('bad_request', 'The request body could not be read.') : error;
}
