import type { RouteSpec } from '@healthd/contract';
import express, { type Express } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics for a Prometheus server. */
export interface Metrics {
  /** Registry to which other parts add their metrics. Does not contain the process's own metrics. */
  registry: Registry;
  observe(route: RouteSpec, status: number, durationSeconds: number): void;
  observeJob(run: { name: string; outcome: string; durationSeconds: number }): void;
  /** Adds a metric that calls `isFull` on every scrape. */
  watchDisk(isFull: () => Promise<boolean>): void;
  /** Serves `/metrics` on a separate port, because it requires no credentials. */
  app: Express;
}

/** Bucket limits in seconds. Reads should take less than 15 ms; uploads may take minutes. */
const BUCKETS = [0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300];

let processRegistry: Registry | undefined;

/**
 * Returns the registry of the process's own metrics. One per process, because its event loop timer and its observer of
 * garbage collections never stop.
 */
function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: 'healthd_http_request_duration_seconds',
    help: 'Time from the request to the end of the response',
    labelNames: ['route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const jobs = new Histogram({
    name: 'healthd_job_duration_seconds',
    help: 'Duration of one job run, by outcome',
    labelNames: ['job', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  // Starts before the first scrape, so that the event loop's delay includes the start.
  const ofProcess = processMetrics();
  const app = express();
  app.disable('x-powered-by');
  app.get('/metrics', async (_request, response) => {
    const texts = await Promise.all([ofProcess.metrics(), registry.metrics()]);
    response.type(registry.contentType).send(texts.join('\n'));
  });
  return {
    registry,
    observe: (route, status, seconds) => durations.observe({ route: route.id, status: String(status) }, seconds),
    observeJob: ({ name, outcome, durationSeconds }) => jobs.observe({ job: name, outcome }, durationSeconds),
    watchDisk: (isFull) => {
      new Gauge({
        name: 'healthd_disk_full',
        help: '1 while the disk is full, else 0; reading still works',
        registers: [registry],
        async collect() {
          this.set((await isFull()) ? 1 : 0);
        },
      });
    },
    app,
  };
}
