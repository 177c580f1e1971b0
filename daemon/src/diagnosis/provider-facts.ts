import type { Connection } from '../connections/index.js';

/** What is known of one provider of one user when its verdict is made. */
export interface ProviderFacts {
  provider: string;
  /** Name for people. */
  name: string;
  /** Whether people connect at the vendor; a phone that pushes, or an uploaded file, needs nothing of it. */
  canConnect: boolean;
  canPush: boolean;
  /** Whether a phone ever pushed; data of an uploaded file come without one. */
  hasPushed: boolean;
  /** Whether the operator gave credentials for the vendor's cloud. */
  isConfigured: boolean;
  isEnabled: boolean;
  connection: Connection | undefined;
  /** Kinds of data that the person did not agree to. */
  missingDataTypes: readonly string[];
  /** Kinds of data of which the last read failed. */
  failingDataTypes: readonly FailingDataType[];
  /** Number of kinds of data that are read; undefined if it is not known. */
  dataTypeCount?: number | undefined;
  /** The oldest run that has not ended. */
  openRun: OpenRunFacts | undefined;
  /** Whether a vendor that notifies has been quiet for much longer than usual. */
  isWebhookStale: boolean;
  /** When the vendor is asked again. */
  nextPollAt: Date | undefined;
  /** The last instant of which anything of this provider is stored. */
  lastDataAt: Date | undefined;
  /** Local day before which samples of the user were archived, `YYYY-MM-DD`. */
  archivedBefore: string | undefined;
  /** Whether neither an offset nor a zone is known for the user, so that days are days of UTC. */
  isZoneUnknown: boolean;
  /** Kinds of data of which something was not stored lately, because no zone and no offset were known; empty where one is. */
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
  /** Why it waits for another attempt; undefined while it waits for its turn or is at work. */
  retryReason: string | undefined;
  /** The attempt that it waits for, from 1. */
  attempt?: number | undefined;
  /** Undefined if it is tried without a limit. */
  maxAttempts?: number | undefined;
  nextTryAt: Date | undefined;
}
