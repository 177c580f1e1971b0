import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrations } from './index.js';
import { superseded } from './superseded/index.js';

const hashesOf = (steps: typeof migrations) =>
  Object.fromEntries(steps.map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex').slice(0, 16)]));

/** SHA-256 of the SQL, its first 16 digits. A new migration comes last; a line that is here never changes. */
const LANDED = {
  '2026-11-24_01_accounts': 'b396392059d743a6',
  '2026-11-24_02_users': 'b54aa4894714587d',
  '2026-11-24_03_sources': '3268ed0dae2bf567',
  '2026-11-24_04_samples': '48ff2949d6dd54ac',
  '2026-11-24_05_sessions': '269835925de3bb24',
  '2026-11-24_06_runs': '0dd1f530f7723d76',
  '2026-11-24_07_connections': '0116e06482f0ecd7',
  '2026-11-24_08_push': 'f0af1558dc4a6dd6',
  '2026-11-24_09_archival': 'b1d9db3bf551c7a6',
  '2026-11-24_10_audit': '790d7aef42c21173',
  '2026-11-24_11_repairs': 'd644c1cee2931da1',
  '2026-11-24_12_vault': '8958de6918fecf53',
  '2026-11-24_20_notified_items': '0babed3a9d439118',
  '2026-11-24_30_compared_sources': '125601d1011c47ed',
  '2026-11-24_40_connect_links': 'a3a4356d76b16398',
  '2026-11-24_60_request_counts': 'a1baddb0ab322e3f',
  '2026-11-24_70_open_trouble': '456bb1f43f7b73c1',
  '2026-11-24_80_deliveries': 'a403bf0abe039089',
  '2026-11-24_90_delivery_indexes': '296c06fe2ab6afa3',
  '2026-11-24_95_waiting_shares': '459532abfa602438',
  '2026-11-24_97_exclusive_items': 'd346b1339e82a73d',
  '2026-11-24_98_old_deliveries': 'dd2d93d6576fb9f8',
  '2026-11-24_99_connection_order': 'b6033b8252c21941',
  '2026-11-25_10_given_secrets': '022dbbd412d49252',
  '2026-11-25_20_lists_of_all_users': '4d5a838fc9d400e4',
  '2026-11-25_30_service_activity': 'ccbe11ff60b752b8',
  '2026-11-25_40_delivery_retries': '79452b312b50b9da',
  '2026-11-26_10_delivered_portions': '33c14f45ee1a2f69',
  '2026-11-26_20_erasure_receipts': '3a0ad7f3a789ea0a',
  '2026-11-26_30_list_filters': 'fd4210ff468dfba3',
  '2026-11-26_40_key_successors': 'fecf54e7ceafa2ac',
  '2026-11-26_50_awaited_items': 'd81a80d5d1a1db65',
  '2026-11-27_20_vendor_accounts': '2fc6ac589c292add',
  '2026-11-27_21_pushed_rows': '654ab13e794122ba',
  '2026-11-27_30_consent_browsers': '1ae5b8bcdf061981',
  '2026-11-27_40_notification_times': 'd64e15b34f9148d9',
  '2026-11-27_41_delivery_erasures': '57bf09494d4a62b2',
  '2026-11-27_60_polar_scores': 'eecde2e528fe54ca',
  '2026-11-27_95_night_sources': '1716e3b772ff3afb',
  '2026-11-27_96_priority_seeds': '963a9f9e5b335334',
  '2026-11-27_97_archived_maximum': 'add493179faa7755',
  '2026-11-27_98_changed_profiles': '017e69667f9c640f',
  '2026-11-28_31_merged_accounts': '93e0340e96ee6307',
  '2026-11-28_32_archived_night_sources': 'df91806966b44421',
  '2026-11-28_50_provider_terms': '5a52dbbb322976d5',
  '2026-11-28_60_unproven_accounts': 'c97f2a54e306d477',
};

const SUPERSEDED = {
  '2026-11-21_01_accounts': 'e2308127ae827460',
  '2026-11-21_02_users': '65eb69b823d55e21',
  '2026-11-21_03_samples': '57c876a1d425e468',
  '2026-11-21_04_sessions': 'd6f01d235b52e80c',
  '2026-11-21_05_runs': 'cb9d2b3e99c4c72d',
  '2026-11-21_10_credentials': '49faf3a549ae658e',
  '2026-11-21_20_audit': 'fc50fa74f78bedf2',
  '2026-11-21_30_push': '2f820da5193da2f8',
  '2026-11-21_40_merge': '1dc0916a3e7096ea',
  '2026-11-21_50_archival': 'a4088fe4de397ea7',
  '2026-11-21_60_connections': '3118ad72fc3e11e4',
  '2026-11-21_70_sleep_spans': 'ddc3501098e218f2',
  '2026-11-21_80_subscriber_registration': '9c5f4da13179b504',
  '2026-11-22_10_login_waits': '8c2f7a446ce232a2',
  '2026-11-22_20_repairs': '6e3675f3e19cf13b',
  '2026-11-22_30_item_counts': '886e02f6ecd1ce5e',
  '2026-11-22_40_retries': '1316b337f36409ff',
  '2026-11-22_50_audit_occurrences': '078b4b235904dcf3',
  '2026-11-22_60_session_identity': '4a80aaa9e906f6e8',
  '2026-11-22_65_user_search': '79b8efbc6bdf20cd',
  '2026-11-22_80_first_account': '43c3b557d9fce2ea',
  '2026-11-22_90_key_check': '8958de6918fecf53',
  '2026-11-22_95_erasures': '274d314b118b7781',
  '2026-11-22_97_tombstones': 'eee4c799c4339505',
  '2026-11-22_98_sample_slots': 'e649af693f9c736b',
  '2026-11-22_99_time_zones': '374a16ef44a08893',
  '2026-11-23_05_sample_extremes': 'e46aa7f6acd1026d',
  '2026-11-23_07_rejection_reasons': 'e503aaf1442abe96',
  '2026-11-23_10_import_modes': '56f14c647d07b61d',
  '2026-11-23_20_webhook_runs': 'bf2f37469adb673d',
  '2026-11-23_30_retrying_runs': '57972cb077b3fb7e',
  '2026-11-23_40_login_names': 'a52dadcfb0c3ad71',
  '2026-11-23_50_source_aliases': 'bfb65c02b9570614',
  '2026-11-23_60_adopted_keys': '8a84909c35b948f8',
};

test('a migration that has landed is never edited, moved or removed: databases have had it already', () => {
  expect(hashesOf(migrations)).toEqual(LANDED);
  expect(migrations.map(({ name }) => name)).toEqual(Object.keys(LANDED));
});

test('a superseded migration is never edited: backups of the time before are restored through it', () => {
  expect(hashesOf(superseded)).toEqual(SUPERSEDED);
  expect(superseded.map(({ name }) => name)).toEqual(Object.keys(SUPERSEDED));
});
