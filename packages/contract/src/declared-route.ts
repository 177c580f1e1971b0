import type { RouteSpec } from './route.js';
import type * as routes from './routes.js';

/** A route of the service. Its literal `id` leads to the types of its parameters, body and answer. */
export type DeclaredRoute = RouteSpec & { id: keyof typeof routes };
