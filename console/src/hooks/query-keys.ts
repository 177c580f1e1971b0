/** A period as the service is asked for it. */
interface Bounds {
  start_date: string;
  end_date: string;
}

/**
 * What is kept of the service's answers, each under a key of its own. All of one user stands below `user(id)`, so that it
 * is read again, or removed, together.
 */
export const queryKeys = {
  providers: () => ['providers'] as const,
  providerList: (includeUnconfigured: boolean) => ['providers', { includeUnconfigured }] as const,
  runs: () => ['runs'] as const,
  runList: (filter: object) => ['runs', filter] as const,
  run: (runId: string) => ['run', runId] as const,
  users: () => ['users'] as const,
  userPage: (search: string, page: number | string) => ['users', { search, page }] as const,
  user: (userId: string) => ['user', userId] as const,
  profile: (userId: string) => ['user', userId, 'profile'] as const,
  connections: (userId: string) => ['user', userId, 'connections'] as const,
  dataSummary: (userId: string) => ['user', userId, 'data-summary'] as const,
  dataSources: (userId: string) => ['user', userId, 'data-sources'] as const,
  activity: (userId: string, bounds: Bounds) => ['user', userId, 'activity', bounds] as const,
  sleep: (userId: string, bounds: Bounds) => ['user', userId, 'sleep', bounds] as const,
  workouts: (userId: string, bounds: Bounds) => ['user', userId, 'workouts', bounds] as const,
  userRuns: (userId: string) => ['user', userId, 'runs'] as const,
};
