export { notificationCleaning } from './clean-notifications.js';
export { admitsDelivery, type Delivery, type DeliveryResponse, receiveDelivery } from './receive-notifications.js';
