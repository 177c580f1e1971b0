import { setFlagsFromString } from 'node:v8';

/**
 * Lets garbage grow to the size of the live data before V8 collects it. A limit of 40 % collects more often: pushes took
 * 19 % and imports 15 % more CPU time. V8's own limit grows with the allocation rate, and an import of 2 GB needs 332
 * MB. The young generation's size is set by `--max-semi-space-size` in the start script, because it cannot be changed in
 * a running program. Figures: docs/benchmarks.md.
 */
setFlagsFromString('--heap-growing-percent=100');
