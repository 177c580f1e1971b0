import type { RouteSpec } from './route.js';
import type * as routes from './routes/index.js';

type Declared = Extract<(typeof routes)[keyof typeof routes], RouteSpec>;

/** Operation id of a route of the service. */
export type RouteId = Declared['id'];

/** A route of the service, whose schemas are known by its id. */
export type DeclaredRoute = RouteSpec & { id: RouteId };

/** The declaration of an id, with its literal types. */
export type RouteById<Id extends RouteId> = Extract<Declared, { id: Id }>;
