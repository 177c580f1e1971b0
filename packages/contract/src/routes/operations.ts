import { defineRoute } from '../route.js';

export const getConfig = defineRoute({
  id: 'getConfig',
  method: 'GET',
  path: '/api/v1/config',
  tag: 'Operations',
  summary: 'What this service is set up to do',
  auth: 'developer',
  audit: { exempt: 'settings of the service, no data of a person' },
  status: 200,
});

export const getSystemStatus = defineRoute({
  id: 'getSystemStatus',
  method: 'GET',
  path: '/api/v1/system/status',
  tag: 'Operations',
  summary: 'How the service and what it stands on are doing',
  description:
    'Versions, room on the disks, the clock of the database, jobs that wait, deliveries that are refused, and which keys have sealed what ' +
    'the service keeps secret. `healthctl doctor` judges them.',
  auth: 'developer',
  audit: { exempt: 'state of the service, no data of a person' },
  status: 200,
});
