import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { VendorError } from '../cloud/index.js';
import { isObject, type PayloadObject } from '../payload/index.js';

/** The operator's credentials at the vendor, for webhook subscribers. */
export type ServiceCredentials =
  | { kind: 'service_account'; email: string; keyId?: string; privateKey: KeyObject; tokenAddress?: string }
  | { kind: 'authorized_user'; clientId: string; clientSecret: string; refreshToken: string; quotaProject?: string }
  /** Credentials from the machine's metadata server. */
  | { kind: 'metadata'; host: string; isNamed: boolean };

const METADATA_HOST = 'metadata.google.internal';
const HOST = /^[A-Za-z0-9.-]+(:\d{1,5})?$/;

/**
 * Finds the credentials: the file in the setting, or Google's application default credentials. These come from
 * `GOOGLE_APPLICATION_CREDENTIALS`, a gcloud login, or the metadata server.
 * @throws VendorError `operator` if the file cannot be used; the error contains neither path nor content
 */
export async function findServiceCredentials(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServiceCredentials> {
  const named = file ?? environment.GOOGLE_APPLICATION_CREDENTIALS;
  if (named) return readCredentials(await readText(named));
  const ambient = await readText(ambientFile(environment)).catch(() => undefined);
  if (ambient !== undefined) return readCredentials(ambient);
  const host = environment.GCE_METADATA_HOST || METADATA_HOST;
  if (!HOST.test(host)) throw unusable('GCE_METADATA_HOST');
  return { kind: 'metadata', host, isNamed: host !== METADATA_HOST };
}

function ambientFile(environment: Readonly<Record<string, string | undefined>>): string {
  const folder = environment.CLOUDSDK_CONFIG || join(environment.HOME || homedir(), '.config', 'gcloud');
  return join(folder, 'application_default_credentials.json');
}

function readCredentials(text: string): ServiceCredentials {
  const file = parse(text);
  if (file?.type === 'service_account') {
    const email = required(file, 'client_email');
    const privateKey = readPrivateKey(required(file, 'private_key'));
    return {
      kind: 'service_account',
      email,
      keyId: optional(file, 'private_key_id'),
      privateKey,
      tokenAddress: optional(file, 'token_uri'),
    };
  }
  if (file?.type === 'authorized_user') {
    return {
      kind: 'authorized_user',
      clientId: required(file, 'client_id'),
      clientSecret: required(file, 'client_secret'),
      refreshToken: required(file, 'refresh_token'),
      quotaProject: optional(file, 'quota_project_id'),
    };
  }
  throw unusable('credentials_type');
}

/** Drops the details of a failure, because file errors quote the path and parser errors the content. */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw unusable('credentials_unreadable');
  }
}

function parse(text: string): PayloadObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readPrivateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The error below covers an unreadable key too.
  }
  throw unusable('private_key');
}

function required(file: PayloadObject, member: string): string {
  const value = optional(file, member);
  if (value === undefined) throw unusable(member);
  return value;
}

function optional(file: PayloadObject, member: string): string | undefined {
  const value = file[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function unusable(reason: string): VendorError {
  return new VendorError({ code: 'operator', reason });
}
