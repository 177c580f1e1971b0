import {
  Activity,
  AppWindow,
  Grid3x3,
  House,
  KeyRound,
  Link2,
  ListOrdered,
  PlugZap,
  ScrollText,
  Settings,
  UserCog,
  Users,
} from 'lucide-react';

/** Pages by group: users and data, providers, access. */
export const PAGE_GROUPS = [
  [
    ['/', 'Home', House],
    ['/users', 'Users', Users],
    ['/connections', 'Connections', Link2],
    ['/runs', 'Runs', Activity],
  ],
  [
    ['/coverage', 'Coverage', Grid3x3],
    ['/providers', 'Providers', PlugZap],
    ['/priorities', 'Priorities', ListOrdered],
  ],
  [
    ['/api-keys', 'API keys', KeyRound],
    ['/applications', 'Applications', AppWindow],
    ['/developers', 'Developers', UserCog],
    ['/audit', 'Audit trail', ScrollText],
    ['/settings', 'Settings', Settings],
  ],
] as const;
