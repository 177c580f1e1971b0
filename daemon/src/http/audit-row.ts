import type { AuditRow } from '../audit/index.js';
import type { Caller } from './binding.js';
import type { AuditEntry } from './route-services.js';

/** Returns the audit record of a request; undefined if the route declares that it needs none. */
export function auditRowOf({
  route,
  caller,
  userId,
  resourceId,
  detail,
  status,
  requestId,
  address,
}: AuditEntry): AuditRow | undefined {
  if ('exempt' in route.audit) return undefined;
  const [actorType, actorId] = actorOf(caller);
  const { resource, action } = route.audit;
  const outcome = status < 400 ? 'success' : status === 401 || status === 403 ? 'denied' : 'failure';
  return {
    at: new Date(),
    actorType,
    actorId,
    resource,
    action,
    outcome,
    status,
    requestId,
    userId: userId ?? (caller.kind === 'sdk' ? caller.userId : null),
    resourceId: resourceId ?? null,
    detail: detail ?? null,
    route: route.id,
    address: address ?? null,
    occurrences: 1,
  };
}

/** Returns the caller in the format of the audit trail. */
export function actorOf(caller: Caller): [type: string, id: string | null] {
  switch (caller.kind) {
    case 'developer':
      return ['developer', caller.developerId];
    case 'api_key':
      return ['api_key', caller.keyId];
    case 'sdk':
    case 'application':
      return [caller.kind, caller.appId];
    case 'public':
      return ['anonymous', null];
  }
}
