import { type Subscriber, VendorError, type VendorFailure } from '../cloud/index.js';
import { isObject, type PayloadObject, textOf } from '../payload/index.js';
import { readGoogleError } from './read-error.js';

/** HTTP status and name of `google.rpc.Status` codes, which operations contain instead of a status. */
const RPC_CODES: Readonly<Record<number, readonly [status: number, name: string]>> = {
  3: [400, 'INVALID_ARGUMENT'],
  5: [404, 'NOT_FOUND'],
  6: [409, 'ALREADY_EXISTS'],
  7: [403, 'PERMISSION_DENIED'],
  8: [429, 'RESOURCE_EXHAUSTED'],
  9: [400, 'FAILED_PRECONDITION'],
  14: [503, 'UNAVAILABLE'],
  16: [401, 'UNAUTHENTICATED'],
};

/**
 * Maps errors of calls with the operator's credentials. Errors that elsewhere concern one user concern the deployment
 * here.
 */
export function readServiceError(status: number, body: unknown): Partial<VendorFailure> | undefined {
  const read = readGoogleError(status, body);
  if (status === 403 || read?.code === 'account_not_linked' || read?.code === 'scope_missing') {
    return { ...read, code: 'operator' };
  }
  return read;
}

/**
 * Reads the response to a change: the subscriber, or an operation with the subscriber or an error.
 * @throws VendorError for an error inside a 200 response
 */
export function checkOperation(response: unknown): void {
  if (!isObject(response) || !isObject(response.error)) return;
  const { code, status, details } = response.error;
  const [httpStatus, name] = RPC_CODES[Number(code)] ?? [500, undefined];
  const failure = readServiceError(httpStatus, { error: { status: textOf(status) ?? name, details } });
  throw new VendorError({ ...failure, code: failure?.code ?? codeOf(httpStatus), status: httpStatus });
}

function codeOf(httpStatus: number): VendorFailure['code'] {
  if (httpStatus === 400) return 'invalid_request';
  if (httpStatus === 401) return 'operator';
  if (httpStatus === 404) return 'not_found';
  if (httpStatus === 409) return 'conflict';
  return httpStatus === 429 ? 'rate_limited' : 'unavailable';
}

/** Returns undefined if the value is not a subscriber. */
export function readSubscriber(value: unknown): Subscriber | undefined {
  const name = isObject(value) ? textOf(value.name) : undefined;
  const id = name?.split('/').at(-1);
  if (!isObject(value) || id === undefined || id === '') return undefined;
  const configs = Array.isArray(value.subscriberConfigs) ? value.subscriberConfigs : [];
  const dataTypes = configs.flatMap((config) =>
    isObject(config) && Array.isArray(config.dataTypes) ? config.dataTypes : [],
  );
  return {
    id,
    endpoint: textOf(value.endpointUri, 2048) ?? '',
    dataTypes: dataTypes.filter((type) => typeof type === 'string'),
    state: textOf(value.state),
    raw: withoutSecret(value),
  };
}

function withoutSecret(value: PayloadObject): PayloadObject {
  if (!isObject(value.endpointAuthorization)) return value;
  const { secret: _, ...endpointAuthorization } = value.endpointAuthorization;
  return { ...value, endpointAuthorization };
}
