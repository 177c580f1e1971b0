export { WORKOUT_FILES } from './provider.js';
