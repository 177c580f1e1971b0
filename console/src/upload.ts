import { errorOf, pathOf, UnreachableError } from '@healthd/client';
import { type IMPORT_MODES, importAppleExport } from '@healthd/contract';
import type { ImportAccepted } from '@healthd/schemas';
import { client, session } from './session.js';

/** How a file meets what is stored. */
export interface ImportHow {
  mode: (typeof IMPORT_MODES)[number];
  /** Nothing is stored: the run says what would change, and is confirmed later. */
  isDryRun: boolean;
}

interface Upload {
  userId: string;
  file: File;
  how: ImportHow;
  signal: AbortSignal;
  /** Share of the bytes that are on their way, from 0 to 1. */
  onProgress: (share: number) => void;
}

/**
 * Uploads an export file. XMLHttpRequest, because fetch does not say how much has been sent.
 * @throws ApiError when the service refuses, UnreachableError when the connection breaks, AbortError when aborted
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
