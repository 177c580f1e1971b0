import { listUsers } from '@healthd/contract';
import { z } from 'zod';
import { defineTool } from './tool.js';

export const USERS_TOOL = defineTool({
  name: 'get_users',
  title: 'Find users',
  description: 'Lists users, newest first, or the users that match a search.',
  input: {
    search: z.string().optional().describe('Part of a name, an email address, an external id or an id'),
    limit: z.int().min(1).max(100).default(10).describe('Maximum number of users'),
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
