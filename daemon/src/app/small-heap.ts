import { setFlagsFromString } from 'node:v8';

/**
 * Left to itself, V8 lets garbage grow to several times of what is in use before it looks for it: with 50 MB in use an
 * import of 2 GB took 330 MB. From here on 40 % of garbage is enough. That costs a tenth to a fourth more processor time
 * and makes the peak 220 MB, with the young generation that `--max-semi-space-size` of the start script sets: its size
 * cannot be changed any more in a program that runs. Figures: docs/benchmarks.md.
 */
setFlagsFromString('--heap-growing-percent=40');
