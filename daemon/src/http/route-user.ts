import type { RouteSpec } from '@healthd/contract';
import { normalizeUuid } from '@healthd/schemas';
import type { Request } from 'express';
import { Failure } from '../platform/failures.js';
import type { UserRef } from './binding.js';
import type { RouteServices } from './route-services.js';

/** The id of the resource that the path names, for the audit trail. */
export function resourceIdOf({ audit }: RouteSpec, { params }: Request): string | undefined {
  const id = 'id' in audit && audit.id !== undefined ? params[audit.id] : undefined;
  return typeof id === 'string' ? normalizeUuid(id) : undefined;
}

/** The user whom the path names, for the audit trail. */
export function userIdOf({ params }: Request): string | undefined {
  return typeof params.user_id === 'string' ? normalizeUuid(params.user_id) : undefined;
}

/** The user of a request. @throws Failure `not_found` */
export async function knownUser(id: string, services: RouteServices): Promise<UserRef> {
  const user = await services.findUser(id);
  if (!user) throw new Failure('not_found', `User with ID: ${id} not found.`);
  return user;
}
