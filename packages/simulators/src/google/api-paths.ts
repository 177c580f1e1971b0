import type { Operation } from './fault-types.js';

/** Operation, resource and user of a Health API request. */
export interface ApiTarget {
  operation: Operation;
  user: string;
  dataType?: string;
  pointId?: string;
}

const ACCOUNT = /^\/v4\/users\/([^/]+)\/(identity|settings|profile|pairedDevices)$/;
const POINTS = /^\/v4\/users\/([^/]+)\/dataTypes\/([^/]+)\/dataPoints(?::([A-Za-z]+)|\/([^/:]+))?$/;

/** Returns undefined for an unknown path or method. Custom verbs are case sensitive. */
export function apiTarget(method: string, path: string): ApiTarget | undefined {
  const account = ACCOUNT.exec(path);
  if (account) return method === 'GET' ? { operation: account[2] as Operation, user: account[1]! } : undefined;
  const points = POINTS.exec(path);
  if (!points) return undefined;
  const [, user = '', dataType, verb, pointId] = points;
  if (pointId !== undefined) return method === 'GET' ? { operation: 'get', user, dataType, pointId } : undefined;
  if (verb === undefined) return method === 'GET' ? { operation: 'list', user, dataType } : undefined;
  if (verb === 'reconcile') return method === 'GET' ? { operation: 'reconcile', user, dataType } : undefined;
  if (verb === 'rollUp' || verb === 'dailyRollUp') {
    return method === 'POST' ? { operation: verb, user, dataType } : undefined;
  }
  return undefined;
}
