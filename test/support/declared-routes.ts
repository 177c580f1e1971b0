import type { RouteSpec } from '@healthd/api';
import * as api from '@healthd/api';

/** Every route that is declared. */
export const declaredRoutes: readonly RouteSpec[] = (Object.values(api) as unknown[]).filter(isRoute);

function isRoute(value: unknown): value is RouteSpec {
  return typeof value === 'object' && value !== null && 'method' in value && 'audit' in value && 'path' in value;
}
