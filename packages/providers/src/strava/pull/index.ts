export { READ_STREAMS, STRAVA_PULL } from './adapter.js';
export { activityPath, LIST } from './read-activities.js';
export { STREAM_SERIES } from './streams.js';
