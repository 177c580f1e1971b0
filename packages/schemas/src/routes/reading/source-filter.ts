import { z } from 'zod';
import { normalizeUuid, uuidParam } from '../../parameters.js';

const text = z.string().optional();

/** Filters a list by source. All passed filters must match. */
export const sourceFilterParams = {
  provider: text.meta({ description: 'Only return data from this provider' }),
  source: text
    .transform((value) => value && (normalizeUuid(value) ?? value))
    .meta({ description: 'Only return data of this writer, as in `source.source`; a UUID selects a data source' }),
  device_model: text.meta({ description: 'Only return data of this model, as in `source.device`' }),
  data_source_id: uuidParam.optional().meta({ description: 'Only return data of this data source' }),
};
