import type { Connection } from '../connections/index.js';

/** Facts about one provider of one user; the input of the diagnosis. */
export interface ProviderFacts {
  provider: string;
  /** Display name. */
  name: string;
  /** True if users connect through the vendor's consent page. Phone pushes and uploaded files do not need that. */
  canConnect: boolean;
  canPush: boolean;
  /** True if a phone has ever pushed; uploaded files do not count. */
  hasPushed: boolean;
  /** True if the operator configured credentials for the vendor's cloud. */
  isConfigured: boolean;
  isEnabled: boolean;
  connection: Connection | undefined;
  /** Data types that the user did not grant. */
  missingDataTypes: readonly string[];
  /** Data types whose last read failed. */
  failingDataTypes: readonly FailingDataType[];
  /** Number of data types that syncs read; undefined if unknown. */
  dataTypeCount?: number | undefined;
  /** The oldest run that has not ended. */
  openRun: OpenRunFacts | undefined;
  /** True if a vendor that sends notifications has been silent for much longer than usual. */
  isWebhookStale: boolean;
  /** Time of the next vendor poll. */
  nextPollAt: Date | undefined;
  /** Latest time of any stored data of this provider. */
  lastDataAt: Date | undefined;
  /** Local day before which the user's samples are archived, `YYYY-MM-DD`. */
  archivedBefore: string | undefined;
  /** True if the user has neither an offset nor a time zone, so that days are UTC days. */
  isZoneUnknown: boolean;
  /**
   * Data types with items that were recently rejected because the user had neither a time zone nor an offset. Empty if
   * the user has a time zone or an offset now.
   */
  unplacedDataTypes: readonly string[];
}

interface FailingDataType {
  dataType: string;
  /** A stable code, such as `unavailable 503`. */
  error: string;
  since: Date | undefined;
}

interface OpenRunFacts {
  runId: string;
  createdAt: Date;
  /** Reason why the run waits for another attempt; undefined while it is queued or running. */
  retryReason: string | undefined;
  /** Number of the next attempt, from 1. */
  attempt?: number | undefined;
  /** Undefined if attempts are unlimited. */
  maxAttempts?: number | undefined;
  nextTryAt: Date | undefined;
}
