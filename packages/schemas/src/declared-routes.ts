import type { RouteDeclaration } from './route.js';
import * as routes from './routes/index.js';

/** Declaration of the route with the ID of `R`. `R` may be a route of `@healthd/contract`. */
export type SchemasOf<R extends { id: string }> = R['id'] extends keyof typeof routes
  ? (typeof routes)[R['id']]
  : never;

/** All routes by ID. */
export const declaredRoutes: readonly RouteDeclaration[] = Object.values(routes as Record<string, unknown>)
  .filter(isRoute)
  .sort((one, other) => (one.id < other.id ? -1 : 1));

function isRoute(value: unknown): value is RouteDeclaration {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'id' in value;
}
