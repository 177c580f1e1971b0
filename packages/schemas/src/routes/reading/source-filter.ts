import { z } from 'zod';
import { normalizeUuid, uuidParam } from '../../parameters.js';

const text = z.string().optional();

/** Filters of a list by source. All that are sent must hold; a text that no source has leaves nothing. */
export const sourceFilterParams = {
  provider: text.meta({ description: 'Only what arrived through this provider' }),
  source: text
    .transform((value) => value && (normalizeUuid(value) ?? value))
    .meta({ description: 'Only of this writer, as `source.source` shows it; a UUID is the id of a data source' }),
  device_model: text.meta({ description: 'Only of this model, as `source.device` shows it' }),
  data_source_id: uuidParam.optional().meta({ description: 'Only of this data source' }),
};
