export { openSpool, type Spool } from './spool.js';
export { writeWhole } from './write-whole.js';
