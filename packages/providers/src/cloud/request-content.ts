import type { VendorRequest } from './vendor-api.js';

/** The body of a request with its content type. */
export function requestContent({ body, form }: VendorRequest): { type: string; text: string } | undefined {
  if (form) return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() };
  return body === undefined ? undefined : { type: 'application/json', text: JSON.stringify(body) };
}

/** Whether a request changes nothing, so that it may be repeated. */
export function isReadRequest(request: VendorRequest): boolean {
  return request.repeatable ?? (request.method ?? 'GET') === 'GET';
}
