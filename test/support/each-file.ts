// Vitest runs this before each test file.
import { watchFileEnd } from './file-end.js';

watchFileEnd();
