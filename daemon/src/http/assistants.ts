import { ASSISTANT_CLIENT, CLIENT_HEADER, type RouteSpec } from '@healthd/contract';
import type { Request } from 'express';
import { Failure } from '../platform/failures.js';
import type { Caller } from './binding.js';

/**
 * True if the request comes from an assistant: by its key's scope, which cannot be omitted, or by the header that
 * `healthctl mcp` sends voluntarily.
 */
export function isAssistant(caller: Caller, request: Pick<Request, 'headers'>): boolean {
  if (caller.kind === 'api_key' && caller.scopes?.includes('assistant')) return true;
  if (caller.kind !== 'api_key' && caller.kind !== 'developer') return false;
  const client = request.headers[CLIENT_HEADER.toLowerCase()];
  return typeof client === 'string' && client.trim().toLowerCase() === ASSISTANT_CLIENT;
}

/** Rejects assistants on routes that do not withhold forbidden vendor data. @throws Failure `forbidden` */
export function rejectAssistant(route: RouteSpec): void {
  if (route.forAssistants) return;
  // Devices drop data after a 403 and keep it after a 401.
  const code = route.auth === 'sdk' ? 'unauthenticated' : 'forbidden';
  throw new Failure(code, 'Assistants cannot use this route.');
}
