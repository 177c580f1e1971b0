import { defineRoute } from '../route.js';

const common = { tag: 'Operations', auth: 'developer' } as const;

export const getArchival = defineRoute({
  ...common,
  id: 'getArchivalSettings',
  method: 'GET',
  path: '/api/v1/settings/archival',
  summary: 'How long samples are kept, and how much space they take',
  description: 'Rows are counted from daily figures; where that takes long the counts are up to five minutes old.',
  audit: { exempt: 'settings of the service, no data of a person' },
  status: 200,
});

export const setArchival = defineRoute({
  ...common,
  id: 'setArchivalSettings',
  method: 'PUT',
  path: '/api/v1/settings/archival',
  summary: 'Set how long samples are kept',
  description:
    'Replaces both settings: one that is left out is switched off, as null does. Summaries of archived days stay as they ' +
    'are; their samples no longer appear in time series. What is deleted cannot be brought back. Work begins immediately and ' +
    'is done daily at 03:00 UTC.',
  audit: { resource: 'archival_setting', action: 'update' },
  status: 200,
});

export const previewArchival = defineRoute({
  ...common,
  id: 'previewArchival',
  method: 'GET',
  path: '/api/v1/settings/archival/preview',
  summary: 'What archiving and deleting would concern now, without doing it',
  description:
    'With the settings that are given as the update takes them, or with those that are set when none is given.',
  audit: { exempt: 'numbers over all users, no data of a person' },
  status: 200,
});

export const runArchival = defineRoute({
  ...common,
  id: 'runArchival',
  method: 'POST',
  path: '/api/v1/settings/archival/run',
  summary: 'Archive and delete now what the settings say',
  audit: { resource: 'archival_setting', action: 'update' },
  status: 202,
});
