import { errorOf, pathOf, UnreachableError } from '@healthd/client';
import { type IMPORT_MODES, importAppleExport } from '@healthd/contract';
import type { ImportAccepted } from '@healthd/schemas';
import { client, session } from './session.js';

/** Import mode. */
export interface ImportHow {
  mode: (typeof IMPORT_MODES)[number];
  /** Dry run: stores nothing and reports the changes for confirmation. */
  isDryRun: boolean;
}

interface Upload {
  userId: string;
  file: File;
  how: ImportHow;
  signal: AbortSignal;
  /** Uploaded share of the bytes, from 0 to 1. */
  onProgress: (share: number) => void;
}

/**
 * Uploads an export file. Uses XMLHttpRequest, because fetch does not report upload progress.
 * @throws ApiError if the service rejects the file, UnreachableError if the connection breaks, AbortError if aborted
 */
export async function uploadExport({ userId, file, how, signal, onProgress }: Upload): Promise<ImportAccepted> {
  const headers = await session.authorize(importAppleExport);
  const body = new FormData();
  body.append(importAppleExport.uploadPart, file);
  const response = await new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const address = new URL(pathOf(importAppleExport, { user_id: userId }), client.baseUrl);
    address.searchParams.set('mode', how.mode);
    address.searchParams.set('dry_run', String(how.isDryRun));
    request.open('POST', address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress(event.lengthComputable ? event.loaded / event.total : 0);
    request.onload = () => resolve(responseOf(request));
    request.onerror = () => reject(new UnreachableError(client.baseUrl, undefined));
    request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as ImportAccepted;
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['x-request-id', 'retry-after']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText, { status: request.status, headers });
}
