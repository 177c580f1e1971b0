export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Credentials that a route requires.
 * - `public`: none.
 * - `developer`: a developer's access token.
 * - `key`: an API key, or a developer's access token.
 * - `sdk`: an SDK token of the user in the path, or an API key.
 * - `device`: an SDK token of the user in the path.
 * - `application`: `app_id` and `app_secret` in the body, or a developer's access token.
 */
export type CredentialClass = 'public' | 'developer' | 'key' | 'sdk' | 'device' | 'application';

/** Scopes that routes require from a restricted API key. */
export const SCOPES = ['read', 'write', 'push'] as const;
/** Scope that a route requires. */
export type Scope = (typeof SCOPES)[number];
/** Scopes of API keys. `assistant` allows only routes for assistants, and filters their responses. */
export const KEY_SCOPES = [...SCOPES, 'assistant'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Header that declares the client. With the value `assistant` the service treats it as an assistant. */
export const CLIENT_HEADER = 'X-Client';
export const ASSISTANT_CLIENT = 'assistant';

/** Actions in the audit trail. */
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

/** Calls that are limited per IP address, so that credentials cannot be guessed. Settings define the limits. */
export type LimitName = 'login' | 'token' | 'refresh' | 'redeem' | 'accept' | 'connect';

/**
 * Audit record of a route, or the reason why the route has no audit record. `id` names the path parameter with the
 * affected object's ID, if the record must contain the ID.
 */
export type AuditPolicy = { resource: string; action: AuditAction; id?: string } | { exempt: string };

/**
 * Declaration of a route for callers, without schemas. The build writes `routes.ts` from the declarations in
 * `@healthd/schemas`.
 */
export interface RouteSpec {
  /** Operation ID, and name of the client's method. */
  id: string;
  method: Method;
  /** Path with `{name}` for parameters. */
  path: `/${string}`;
  auth: CredentialClass;
  /** Scope that a restricted API key needs. Undefined for routes that accept no API key. */
  scope?: Scope;
  /**
   * True if assistants may use the route. Such a route only reads, and its handler withholds data whose vendor forbids
   * AI use. All other routes reject assistants.
   */
  forAssistants?: boolean;
  audit: AuditPolicy;
  /** Limit per IP address. Further calls get a 429. */
  limit?: LimitName;
  /**
   * Encoding of the body, JSON by default. The handler reads a `raw` JSON body itself. The schema only describes a
   * `raw` body, because the service does not validate the body.
   */
  bodyType?: 'json' | 'form' | 'raw';
  /**
   * Maximum size of the body, if different from the default: 16 kB without a credential, 64 kB with a credential
   * (`bodyLimitOf`). A setting limits pushes.
   */
  maxBodyBytes?: number;
  /** Name of the multipart part with the file. Such a route has no `body`. */
  uploadPart?: string;
  /** 303: the handler redirects. */
  status: 200 | 201 | 202 | 204 | 303;
  /** Content type of a response other than JSON. */
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
