import { defineRoute } from '../route.js';

/** Terms of vendors, as the API names them. */
export const VENDOR_TERMS = [
  'assistants',
  'combine',
  'cache_days',
  'on_disconnect',
  'archive',
  'attribution',
  'research',
] as const;
export type VendorTermName = (typeof VENDOR_TERMS)[number];

/**
 * How a term stands. `unknown`: the vendor's term is not known. `allows`: nothing follows from it. `acts`: the service
 * keeps it. `asks`: it would delete or hide data and waits for the operator. `declined`: the operator declined it.
 */
export const TERM_STATES = ['unknown', 'allows', 'acts', 'asks', 'declined'] as const;
export type TermState = (typeof TERM_STATES)[number];

export const TERM_ANSWERS = ['accepted', 'declined'] as const;
export type TermAnswer = (typeof TERM_ANSWERS)[number];

export const listProviderTerms = defineRoute({
  id: 'listProviderTerms',
  method: 'GET',
  path: '/api/v1/providers/terms',
  tag: 'Providers',
  summary: 'What the terms of vendors oblige the operator to',
  description:
    'Each term with its source, the operator\u2019s override and answer, and whether the service acts on it. A term that deletes data or hides it from summaries has the state `asks` until the operator answers; `rows` counts what it concerns.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { exempt: 'settings of the service, no data of a person' },
  status: 200,
});

export const updateProviderSettings = defineRoute({
  id: 'updateProviderSettings',
  method: 'PATCH',
  path: '/api/v1/providers/{provider}/settings',
  tag: 'Providers',
  summary: 'Override a vendor\u2019s terms, or answer the questions of those that delete or hide data',
  description:
    'Terms that are left out stay. An override needs a reason; the audit trail keeps it. An answer holds for the value that the term has now: if the value changes later, the service asks again. Accepting `cache_days` or `on_disconnect` starts the deletion of the rows that it concerns.',
  auth: 'developer',
  audit: { resource: 'provider_setting', action: 'update' },
  status: 200,
  errors: [400],
});
