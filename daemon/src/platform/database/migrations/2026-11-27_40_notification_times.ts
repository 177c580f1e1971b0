/** Notification counts have the time of their last change: a gap in the deliveries ends there. */
export const notificationTimes = {
  name: '2026-11-27_40_notification_times',
  sql: `
alter table notification_count add column last_at timestamptz;
`,
};
