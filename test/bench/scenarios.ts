import { consoleScenario } from './console/console-scenario.js';
import { deliveryScenario } from './delivery/delivery-scenario.js';
import { feedScenario } from './feed/feed-scenario.js';
import { importScenario } from './import/import-scenario.js';
import { loopingScenario } from './push/looping-scenario.js';
import { pushScenario } from './push/push-scenario.js';
import { readScenario } from './read/read-scenario.js';
import type { Scenario } from './scenario.js';
import { scheduleScenario } from './schedule/schedule-scenario.js';

/** All scenarios, in their default run order. */
export const SCENARIOS: readonly Scenario[] = [
  importScenario,
  pushScenario,
  loopingScenario,
  feedScenario,
  deliveryScenario,
  readScenario,
  scheduleScenario,
  consoleScenario,
];
