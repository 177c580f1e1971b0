/** What people tick on the vendor's page. The past is unticked unless someone ticks it. */
export const PERMISSIONS = {
  activity: 'ACTIVITY_EXPORT',
  health: 'HEALTH_EXPORT',
  history: 'HISTORICAL_DATA_EXPORT',
  cycle: 'MCT_EXPORT',
} as const;
