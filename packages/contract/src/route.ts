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

/** Another path of a route. `params` are those of the route that it does not name. */
export interface PathAlias {
  path: `/${string}`;
  params?: Readonly<Record<string, string>>;
}

/**
 * One route, declared once. What goes in and comes out is declared under its id in `@healthd/schemas`: there the server
 * finds what it validates by; the OpenAPI document and the client's types come from both.
 */
export interface RouteSpec {
  /** Operation id, and the method's name in the client. */
  id: string;
  method: Method;
  /** Path with `{name}` for parameters. */
  path: `/${string}`;
  /** Further paths of the same operation, served and left out of the document. */
  aliases?: readonly PathAlias[];
  /** Group of the route, one of `TAGS`. */
  tag: string;
  summary: string;
  description?: string;
  auth: CredentialClass;
  /** Scope that a restricted API key needs; none for routes that take no API key. */
  scope?: Scope;
  /**
   * True if assistants may use it: it only reads, and its handler withholds data whose vendor forbids AI use. All other
   * routes that take an API key refuse assistants.
   */
  forAssistants?: boolean;
  audit: AuditPolicy;
  /** Calls from one address count against this limit; beyond it they are answered 429. */
  limit?: LimitName;
  /**
   * How the body is encoded; JSON unless said otherwise. `raw` is JSON that the route's handler receives itself: the
   * schema describes it and nothing is checked by it.
   */
  bodyType?: 'json' | 'form' | 'raw';
  /**
   * Bytes of the body at most, where it is not the usual: 16 kB without a credential, 64 kB with one (`bodyLimitOf`).
   * That of a push is a setting of the service.
   */
  maxBodyBytes?: number;
  /**
   * Fields of the body and parameters of the query that are not declared are ignored, instead of refused with 422: only
   * where others than the users of this contract decide what is sent.
   */
  ignoresUnknown?: boolean;
  /** Name of the multipart part that carries the file; such a route has no `body`. */
  uploadPart?: string;
  /** 303: the handler sends the caller elsewhere itself. */
  status: 200 | 201 | 202 | 204 | 303;
  /** Content type of the answer where it is no JSON. */
  produces?: string;
  /** A second content type of the answer, for callers that ask for it. */
  alsoProduces?: string;
  /** Headers of the answer that others do not have; the document describes them. */
  responseHeaders?: readonly string[];
  /** Answers of another status that are no failures. */
  furtherAnswers?: readonly { status: number; description: string }[];
  /** Statuses of expected failures besides those that its credentials, path and body bring with them. */
  errors?: readonly number[];
  /** `errors` are answered with a page for people. */
  htmlFailures?: boolean;
  deprecated?: boolean;
}

/** Declares a route and keeps its literal types. */
export function defineRoute<const R extends RouteSpec>(route: R): R {
  return route;
}
