import { normalizeUuid } from '@healthd/schemas';
import type { Request } from 'express';
import type { Accounts } from '../accounts/index.js';
import type { Caller, UserRef } from './binding.js';

/** Credential types. A route's credential class is a list of them. */
export type CredentialName = 'developer' | 'api_key' | 'sdk' | 'application';

export interface CredentialServices {
  accounts: Pick<Accounts, 'sessions' | 'apiKeys' | 'applications' | 'limits'>;
  findUser(id: string): Promise<UserRef | undefined>;
  /** Lowercase names of headers that carry an API key. */
  apiKeyHeaders: readonly string[];
}

/**
 * Returns a reader for each credential type. A reader returns the caller that a request's credentials identify, or
 * undefined if they are missing or invalid.
 */
export function credentialReaders(
  services: CredentialServices,
): Record<CredentialName, (request: Request) => Promise<Caller | undefined>> {
  const { accounts, findUser, apiKeyHeaders } = services;
  return {
    developer: (request) => developerOf(request, accounts),
    api_key: (request) => apiKeyOf(request, apiKeyHeaders, accounts),
    sdk: (request) => sdkUserOf(request, accounts, findUser),
    application: (request) => applicationOf(request, accounts),
  };
}

/** Returns the token of an `Authorization: Bearer` header. */
export function bearerOf(request: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** Returns the API key of a request. Ignores empty headers. */
export function sentApiKey(request: Request, headers: readonly string[]): string | undefined {
  for (const name of headers) {
    const value = request.headers[name];
    const key = (Array.isArray(value) ? value[0] : value)?.trim();
    if (key) return key;
  }
  return undefined;
}

async function developerOf(request: Request, accounts: CredentialServices['accounts']): Promise<Caller | undefined> {
  const token = bearerOf(request);
  const developer = token && (await accounts.sessions.developerOf(token));
  if (!developer) return undefined;
  return { kind: 'developer', developerId: developer.id, email: developer.email, sessionId: developer.sessionId };
}

async function apiKeyOf(
  request: Request,
  headers: readonly string[],
  accounts: CredentialServices['accounts'],
): Promise<Caller | undefined> {
  const sent = sentApiKey(request, headers);
  const key = sent && (await accounts.apiKeys.verify(sent));
  return key ? { kind: 'api_key', keyId: key.id, scopes: key.scopes } : undefined;
}

async function sdkUserOf(
  request: Request,
  accounts: CredentialServices['accounts'],
  findUser: CredentialServices['findUser'],
): Promise<Caller | undefined> {
  const token = bearerOf(request) ?? bareTokenOf(request);
  const claims = token && (await accounts.sessions.deviceOf(token));
  if (!claims || !(await findUser(claims.userId))) return undefined;
  return { kind: 'sdk', userId: claims.userId, appId: claims.appId };
}

/** Returns an application's credentials from the body. Undefined unless both are present. */
export function sentApplication(request: Request): { appId: string; secret: string } | undefined {
  const { app_id, app_secret } = (request.body ?? {}) as { app_id?: unknown; app_secret?: unknown };
  if (typeof app_id !== 'string' || typeof app_secret !== 'string' || !app_id || !app_secret) return undefined;
  return { appId: app_id, secret: app_secret };
}

async function applicationOf(request: Request, accounts: CredentialServices['accounts']): Promise<Caller | undefined> {
  const sent = sentApplication(request);
  const known = sent && (await accounts.applications.verify(sent.appId, sent.secret));
  return known ? { kind: 'application', appId: sent.appId } : undefined;
}

/** Returns a token that was sent without the word `Bearer`, as older versions of the phone library do. */
function bareTokenOf(request: Request): string | undefined {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.exec(request.headers.authorization ?? '')?.[0];
}

/** True unless an SDK caller's path names another user. Validation rejects a user ID that is not a UUID. */
export function isOwnPath(caller: Caller & { kind: 'sdk' }, request: Request): boolean {
  const id = request.params.user_id;
  const pathUserId = typeof id === 'string' ? normalizeUuid(id) : undefined;
  return pathUserId === undefined || pathUserId === caller.userId;
}
