import * as contract from '@healthd/contract';
import { type RouteWithSchemas, routeSchemas, withSchemas } from '@healthd/schemas';

/** Every route of the contract with its schemas. */
export const declaredRoutes: readonly RouteWithSchemas[] = (Object.values(contract) as unknown[])
  .filter(isRoute)
  .map(withSchemas);

function isRoute(value: unknown): value is contract.DeclaredRoute {
  return typeof value === 'object' && value !== null && 'id' in value && String(value.id) in routeSchemas;
}
