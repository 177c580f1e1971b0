/** Period as sent to the service. */
interface Bounds {
  start_date: string;
  end_date: string;
}

/**
 * Keys of cached responses. All data of a user is below `user(id)`, so that it can be refetched or removed together.
 */
export const queryKeys = {
  providers: () => ['providers'] as const,
  providerList: (includeUnconfigured: boolean) => ['providers', { includeUnconfigured }] as const,
  providerQuota: (provider: string) => ['providers', provider, 'quota'] as const,
  vendorTerms: () => ['vendor-terms'] as const,
  subscriptions: (provider: string) => ['subscriptions', provider] as const,
  priorities: (ranked: string) => ['priorities', ranked] as const,
  prioritiesPreview: (ranked: string, names: readonly string[]) => ['priorities', ranked, 'preview', names] as const,
  userPrioritiesPreview: (userId: string, ranked: string, names: readonly string[]) =>
    ['user', userId, 'priorities', ranked, names] as const,
  apiKeys: () => ['api-keys'] as const,
  applications: () => ['applications'] as const,
  developers: () => ['developers'] as const,
  currentDeveloper: () => ['developers', 'me'] as const,
  invitations: () => ['invitations'] as const,
  audit: (filter: object) => ['audit', filter] as const,
  erasure: (erasureId: string) => ['erasure', erasureId] as const,
  failedErasure: (erasureId: string) => ['failed erasure', erasureId] as const,
  archival: () => ['archival'] as const,
  archivalPreview: (settings: object) => ['archival', settings] as const,
  config: () => ['config'] as const,
  health: () => ['health'] as const,
  runs: () => ['runs'] as const,
  runList: (filter: object) => ['runs', filter] as const,
  run: (runId: string) => ['run', runId] as const,
  coverage: () => ['coverage'] as const,
  dashboard: () => ['dashboard'] as const,
  serviceActivity: (days: number) => ['dashboard', 'activity', days] as const,
  systemStatus: () => ['system-status'] as const,
  trouble: () => ['trouble'] as const,
  troubleUsers: (filter: object) => ['trouble', filter] as const,
  users: () => ['users'] as const,
  userPage: (filter: object) => ['users', filter] as const,
  everyConnection: () => ['connections'] as const,
  allConnections: (filter: object) => ['connections', filter] as const,
  everyUser: () => ['user'] as const,
  user: (userId: string) => ['user', userId] as const,
  profile: (userId: string) => ['user', userId, 'profile'] as const,
  connections: (userId: string) => ['user', userId, 'connections'] as const,
  diagnosis: (userId: string) => ['user', userId, 'diagnosis'] as const,
  connectLinks: (userId: string) => ['user', userId, 'connect-links'] as const,
  dataSummary: (userId: string) => ['user', userId, 'data-summary'] as const,
  dataSources: (userId: string) => ['user', userId, 'data-sources'] as const,
  activity: (userId: string, bounds: Bounds) => ['user', userId, 'activity', bounds] as const,
  workout: (userId: string, workoutId: string) => ['user', userId, 'workout', workoutId] as const,
  body: (userId: string) => ['user', userId, 'body'] as const,
  recovery: (userId: string, bounds: Bounds) => ['user', userId, 'recovery', bounds] as const,
  scores: (userId: string, bounds: Bounds) => ['user', userId, 'scores', bounds] as const,
  cycles: (userId: string, bounds: Bounds) => ['user', userId, 'cycles', bounds] as const,
  dataGaps: (userId: string, from: string) => ['user', userId, 'data-gaps', from] as const,
  summaryExplanation: (userId: string, summary: string, date: string | undefined) =>
    ['user', userId, 'explanation', summary, date] as const,
  explanation: (userId: string, date: string) => ['user', userId, 'explanation', date] as const,
  daySeries: (userId: string, date: string, type: string, sources: readonly string[]) =>
    ['user', userId, 'day-series', { date, type, sources }] as const,
  sleep: (userId: string, bounds: Bounds) => ['user', userId, 'sleep', bounds] as const,
  sleepSession: (userId: string, sleepId: string) => ['user', userId, 'sleep', sleepId] as const,
  workouts: (userId: string, bounds: Bounds) => ['user', userId, 'workouts', bounds] as const,
  series: (userId: string, type: string, range: object) => ['user', userId, 'series', type, range] as const,
  userRuns: (userId: string) => ['user', userId, 'runs'] as const,
  changes: (userId: string, kind: string | undefined) => ['user', userId, 'changes', { kind }] as const,
};
