import { MS_PER_SECOND } from '@healthd/model';
import { type ExportAdapter, VendorError } from '../cloud/index.js';
import { PERMISSIONS } from './permissions.js';
import { SUMMARY_TYPES } from './summaries/types.js';

const TYPES = SUMMARY_TYPES.flatMap(({ key, segment }) =>
  segment === undefined ? [] : [{ id: segment, delivered: key, path: `/backfill/${segment}` }],
);

/** The past, by kind of summary. The vendor answers 202 and exports it in minutes to hours. */
export const GARMIN_EXPORTS: ExportAdapter = {
  types: TYPES.map(({ id, delivered }) => ({ id, delivered })),
  scope: PERMISSIONS.history,
  windowDays: 30,
  async request(api, type, { startMs, endMs }) {
    const path = TYPES.find(({ id }) => id === type)?.path;
    if (path === undefined) throw new VendorError({ code: 'invalid_request', reason: 'unknown_data_type' });
    await api.call({
      path,
      query: {
        summaryStartTimeInSeconds: Math.ceil(startMs / MS_PER_SECOND),
        summaryEndTimeInSeconds: Math.floor(endMs / MS_PER_SECOND),
      },
      // The vendor takes each window once, so that an answer that was lost must not be asked for again by itself.
      repeatable: false,
    });
  },
};
