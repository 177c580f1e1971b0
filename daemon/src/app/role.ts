/** Roles of a process: `api` responds to requests, `worker` runs jobs, `all` does both. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];
