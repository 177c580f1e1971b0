import { defineRoute } from '../../route.js';

export const listMenstrualCycles = defineRoute({
  id: 'listMenstrualCycles',
  method: 'GET',
  path: '/api/v1/users/{user_id}/events/menstrual-cycles',
  tag: 'Events',
  summary: 'Menstrual cycles, newest first',
  description: 'Cycles of all sources of which any part lies in `[start_date, end_date)`.',
  auth: 'key',
  scope: 'read',
  forAssistants: true,
  audit: { resource: 'menstrual_cycle', action: 'read' },
  status: 200,
  errors: [404],
});
