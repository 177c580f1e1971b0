import { serveReading } from '../files/index.js';
import { readWorkoutFiles } from './read-workout-files.js';

await serveReading(readWorkoutFiles);
