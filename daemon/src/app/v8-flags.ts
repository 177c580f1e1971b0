import { setFlagsFromString } from 'node:v8';

/**
 * Lets garbage grow to the size of the live data before V8 collects it. A limit of 40 % collects more often: pushes took
 * 19 % and imports 15 % more CPU time. V8's own limit grows with the allocation rate, and an import of 2 GB needs 332
 * MB. The young generation's size is set by `--max-semi-space-size` in the start script, because it cannot be changed in
 * a running program. Figures: docs/benchmarks.md.
 */
setFlagsFromString('--heap-growing-percent=100');

/**
 * Lets functions of Node 20 run twice as long before V8 optimizes them. Imports and pushes run many functions for a
 * short time: the first import after a start took 7 % less CPU time, and later imports took the same.
 */
if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=264000');
