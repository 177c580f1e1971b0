import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrations } from './index.js';

const hashesOf = (steps: typeof migrations) =>
  Object.fromEntries(steps.map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex').slice(0, 16)]));

/** First 16 digits of the SQL's SHA-256. Append new migrations; never change an existing line. */
const LANDED = {
  '2026-11-28_01_accounts': 'd62a310b197258e7',
  '2026-11-28_02_users': '64a542b348d8ab93',
  '2026-11-28_03_sources': 'cbd60ac02da5bed9',
  '2026-11-28_04_samples': '7fb8b56020fb4a9d',
  '2026-11-28_05_sessions': 'e53e2fbb2f240fa3',
  '2026-11-28_06_runs': '3b7adc999dbd25eb',
  '2026-11-28_07_connections': '606d7ee55f6fa603',
  '2026-11-28_08_pulls': '0157c62a558f4b74',
  '2026-11-28_09_deliveries': '4802cb9846d4791a',
  '2026-11-28_10_push': '06bcb7ec356848e7',
  '2026-11-28_11_archival': '17317d59855e29a8',
  '2026-11-28_12_audit': '8eb89c1ea9fc5584',
  '2026-11-28_13_vault': '7f7c8e45a451e63f',
  '2026-11-28_14_prepared_consents': '12acb6e8939a7d77',
  '2026-11-28_15_pushed_ids': '3b2084d0310569ea',
  '2026-11-28_16_counted_naps': '365058de23f6f121',
  '2026-11-29_17_summary_dates': 'e42ae280b82cdb6c',
  '2026-11-29_18_divided_sessions': '9b4ca25dc8248aee',
  '2026-11-29_19_feed': '91753644c6304ad2',
  '2026-11-29_20_lost_nights': 'd6482216b63a9865',
  '2026-11-29_21_digests': '4122bbe0c8c982c1',
  '2026-11-29_22_repair_progress': '18faacffec3d0cc5',
  '2026-11-29_23_pushed_ranges': 'ebcf6d98d06248fe',
  '2026-11-29_24_feed_events': '00cd957225c80939',
  '2026-11-29_25_deleted_nights': '2cf8f0ead5dde7b8',
  '2026-11-29_26_feed_cost': 'c8d6dbaf48af9325',
  '2026-11-29_27_feed_event_index': 'fbb3700882809553',
  '2026-11-29_28_user_state': 'd3690b5b6c29de55',
  '2026-11-29_29_feed_horizon': '2fb27d7e18c064aa',
  '2026-11-30_30_feed_switch': 'e5aa320bb2847b29',
};

test('keeps every landed migration unchanged and in order', () => {
  expect(hashesOf(migrations)).toEqual(LANDED);
  expect(migrations.map(({ name }) => name)).toEqual(Object.keys(LANDED));
});
