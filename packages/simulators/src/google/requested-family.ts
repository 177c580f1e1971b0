import { apiFailure, badRequest } from './api-failure.js';
import type { ApiRequest } from './api-request.js';
import { sourceFamily } from './data-sources.js';
import { ALL_SOURCES, type StreamChoice } from './point-store.js';

/**
 * @throws a 400 response unless the name is the full resource name of a known family, or if list does not accept a
 * family
 */
export function requestedFamily(
  { service, type, ownOnly }: ApiRequest,
  name: unknown,
  listing = false,
): Pick<StreamChoice, 'family' | 'includes'> {
  if (ownOnly) {
    const family = 'users/me/dataSourceFamilies/self-sources';
    return { family, includes: sourceFamily(family, service.client.id)! };
  }
  if (name === undefined || name === '') return { family: ALL_SOURCES, includes: () => true };
  if (listing && type!.id === 'sleep') throw badRequest('Data source family is not supported.', 'data_source_family');
  const includes = sourceFamily(String(name), service.client.id);
  if (includes) return { family: String(name), includes };
  throw apiFailure(400, {
    message: 'Invalid data source family.',
    reason: 'INVALID_DATA_POINT_DATA_SOURCE_FAMILY',
    violation: { field: 'data_source_family', description: 'Expected a full resource name.' },
  });
}
