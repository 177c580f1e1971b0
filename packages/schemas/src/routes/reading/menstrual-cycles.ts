import { z } from 'zod';
import {
  envelope,
  instantSchema,
  localOffsetSchema,
  sourceMetadataSchema,
  uuidSchema,
  zoneOffsetSchema,
} from '../../envelope.js';
import { intParam, userParams } from '../../parameters.js';
import { defineRoute } from '../../route.js';
import { cursorParam } from './cursor.js';
import { momentParam } from './moment.js';

const count = z.int().nullable();

export const menstrualCycleSchema = z
  .object({
    id: uuidSchema,
    start_time: instantSchema,
    end_time: instantSchema,
    zone_offset: zoneOffsetSchema,
    local_offset: localOffsetSchema,
    source: sourceMetadataSchema,
    current_phase: count,
    current_phase_type: z.string().nullable().meta({ description: 'Phase in the vendor’s words' }),
    day_in_cycle: count,
    cycle_length: count,
    predicted_cycle_length: count,
    is_predicted_cycle: z.boolean().nullable(),
    period_length: count,
    length_of_current_phase: count,
    days_until_next_phase: count,
    fertile_window_start: count,
    length_of_fertile_window: count,
    last_updated_at: instantSchema.nullable(),
    has_specified_cycle_length: z.boolean().nullable(),
    has_specified_period_length: z.boolean().nullable(),
    pregnancy_snapshot: z.array(z.record(z.string(), z.unknown())).nullable(),
  })
  .meta({ id: 'MenstrualCycle' });
export type MenstrualCycle = z.infer<typeof menstrualCycleSchema>;

export const listMenstrualCycles = defineRoute({
  id: 'listMenstrualCycles',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/menstrual-cycles',
  tag: 'Events',
  summary: 'List menstrual cycles, newest first',
  description: 'Returns cycles of all sources that overlap `[start_date, end_date)`.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'menstrual_cycle', action: 'read' },
  status: 200,
  errors: [404],
  params: userParams,
  query: z.object({
    start_date: momentParam,
    end_date: momentParam,
    cursor: cursorParam,
    limit: intParam({ min: 1, max: 100, default: 50 }),
  }),
  response: envelope(menstrualCycleSchema),
});
