import type { RouteSpec } from './route.js';
import type * as routes from './routes.js';

/** Route of the service. Its literal `id` selects the types of parameters, body and response. */
export type DeclaredRoute = RouteSpec & { id: keyof typeof routes };
