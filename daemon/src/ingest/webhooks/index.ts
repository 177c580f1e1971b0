export { deliveryCleaning } from './clean-deliveries.js';
export { reviveUnmatched } from './deliveries.js';
export { type DeliveryEnqueuer, type DeliveryPayload, deliveryJob, deliverySweeper } from './delivery-job.js';
export type { DeliveryServices } from './delivery-services.js';
export { NotificationCounts, notificationCountCleaning } from './notification-counts.js';
export { admitsDelivered, type ReceivedDelivery, receiveDelivered } from './receive-delivery.js';
export { admitsDelivery, type Delivery, type DeliveryResponse, receiveDelivery } from './receive-notifications.js';
export { ReceivingPlaces } from './receiving-places.js';
export { deliveryRetrier } from './retry-delivery.js';
