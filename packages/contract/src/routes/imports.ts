import { defineRoute } from '../route.js';

/** How a file meets what files brought before. */
export const IMPORT_MODES = ['merge', 'replace'] as const;

export const importAppleExport = defineRoute({
  id: 'importAppleExport',
  method: 'POST',
  path: '/api/v1/users/{user_id}/import/apple/xml/direct',
  aliases: [{ path: '/api/v1/users/{user_id}/import/vendorx/xml/direct' }],
  tag: 'Imports',
  summary: 'Import a health export file',
  description:
    'Takes `export.xml`, the same gzipped, or the `.zip` as the phone writes it. The answer comes as soon as the file is stored; follow the run for the result.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  uploadPart: 'file',
  status: 200,
  errors: [404, 408, 413, 415, 507],
});

export const createUploadAddress = defineRoute({
  id: 'createUploadAddress',
  method: 'POST',
  path: '/api/v1/users/{user_id}/import/apple/xml/s3',
  aliases: [{ path: '/api/v1/users/{user_id}/import/vendorx/xml/s3' }],
  tag: 'Imports',
  summary: 'Obtain an address to which a health export file can be sent',
  description:
    'For clients that ask for an address first, as with an object store: `upload_url` is a signed address of this service, for this user and one file. Send a multipart form to it: `form_fields`, then the file in the part `file`. The import then runs as any other.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'upload_address', action: 'create' },
  status: 200,
  errors: [404],
});

export const uploadToAddress = defineRoute({
  id: 'uploadToAddress',
  method: 'POST',
  path: '/api/v1/import/apple/xml/upload',
  tag: 'Imports',
  summary: 'Send a health export file to a signed address',
  description:
    'The address is the `upload_url` that was asked for. 403: it is not one of this service or has expired; 409: a file was sent to it already. After a failure it can be used again until it expires.',
  auth: 'public',
  audit: { resource: 'health_data', action: 'import' },
  uploadPart: 'file',
  status: 200,
  errors: [403, 404, 408, 409, 413, 415, 507],
});

export const confirmImportRun = defineRoute({
  id: 'confirmImportRun',
  method: 'POST',
  path: '/api/v1/sync/runs/{run_id}/confirm',
  tag: 'Imports',
  summary: 'Import the file of a dry run',
  description:
    'Does what a dry run reported, with the stored file, in the mode that it was uploaded with and as a run of its own whose `metadata.confirms` names the dry run. A second call while the new run is open answers with it. 409: the run is no dry run, has not ended, did not succeed or was confirmed already, or another file was imported since; 410: the file is no longer stored.',
  auth: 'key',
  scope: 'write',
  audit: { resource: 'health_data', action: 'import' },
  status: 202,
  errors: [404, 409, 410],
});
