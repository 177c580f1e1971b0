import { listUsers } from '@healthd/contract';
import { z } from 'zod';
import { defineTool } from './tool.js';

export const USERS_TOOL = defineTool({
  name: 'get_users',
  title: 'Find users',
  description: 'Lists the people whose health data is stored, the newest first, or those that a search finds.',
  input: {
    search: z.string().optional().describe('Part of a name, an email address, an external id or an id'),
    limit: z.int().min(1).max(100).default(10).describe('Most users in the result'),
  },
  async run({ client, signal }, { search, limit }) {
    const page = await client.call(listUsers, {
      query: { search, limit, sort_by: 'created_at', sort_order: 'desc' },
      signal,
    });
    return {
      users: page.items.map(({ id, first_name, last_name, email }) => ({ id, first_name, last_name, email })),
      total: page.total,
    };
  },
});
