export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Which credentials open a route.
 * - `public`: none is looked at.
 * - `developer`: a developer's access token.
 * - `key`: an API key, or a developer's access token.
 * - `sdk`: an SDK token of the user in the path, or an API key.
 * - `device`: an SDK token of the user in the path.
 * - `application`: `app_id` and `app_secret` in the body, or a developer's access token.
 */
export type CredentialClass = 'public' | 'developer' | 'key' | 'sdk' | 'device' | 'application';

/** What a route needs of an API key with scopes. */
export const SCOPES = ['read', 'write', 'push'] as const;
/** What an API key with scopes must be allowed to do. */
export type Scope = (typeof SCOPES)[number];
/** What an API key can be limited to. `assistant` opens only the routes that assistants may use, and filters them. */
export const KEY_SCOPES = [...SCOPES, 'assistant'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Header by which a client declares itself. The value `assistant` has the service treat it as one. */
export const CLIENT_HEADER = 'X-Client';
export const ASSISTANT_CLIENT = 'assistant';

/** What the audit trail says was done. */
export const AUDIT_ACTIONS = [
  'create',
  'read',
  'update',
  'delete',
  'restore',
  'import',
  'export',
  'login',
  'logout',
  'refresh',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What is counted per address, so that no one can guess credentials; the numbers are settings. */
export type LimitName = 'login' | 'token' | 'refresh' | 'redeem' | 'accept' | 'connect';

/**
 * What a route does to whose data; a route without a record gives the reason. `id` names the parameter of the path that
 * says which one it was, where that must be known later.
 */
export type AuditPolicy = { resource: string; action: AuditAction; id?: string } | { exempt: string };

/**
 * What a caller needs to know of a route, without its schemas. `routes.ts` contains one for each route, written by the build
 * from the declarations in `@healthd/schemas`.
 */
export interface RouteSpec {
  /** Operation id, and the method's name in the client. */
  id: string;
  method: Method;
  /** Path with `{name}` for parameters. */
  path: `/${string}`;
  auth: CredentialClass;
  /** Scope that a restricted API key needs; none for routes that take no API key. */
  scope?: Scope;
  /**
   * True if assistants may use it: it only reads, and its handler withholds data whose vendor forbids AI use. All other
   * routes that take an API key refuse assistants.
   */
  forAssistants?: boolean;
  audit: AuditPolicy;
  /** Calls from one address count against this limit. Above it they are answered 429. */
  limit?: LimitName;
  /**
   * Encoding of the body, JSON by default. `raw` is JSON that the route's handler receives itself: the schema describes it,
   * and the service does not validate it.
   */
  bodyType?: 'json' | 'form' | 'raw';
  /**
   * Maximum size of the body, if it is not the usual 16 kB without a credential or 64 kB with one (`bodyLimitOf`). A setting
   * of the service limits pushes.
   */
  maxBodyBytes?: number;
  /** Name of the multipart part that contains the file. Such a route has no `body`. */
  uploadPart?: string;
  /** 303: the handler redirects the caller itself. */
  status: 200 | 201 | 202 | 204 | 303;
  /** Content type of an answer that is not JSON. */
  produces?: string;
}

/** Members of {@link RouteSpec} that the build copies from a declaration, in this order. */
export const CONTRACT_MEMBERS = [
  'id',
  'method',
  'path',
  'auth',
  'scope',
  'forAssistants',
  'audit',
  'limit',
  'bodyType',
  'maxBodyBytes',
  'uploadPart',
  'status',
  'produces',
] as const satisfies readonly (keyof RouteSpec)[];
