export { cleanNotificationsJob } from './clean-notifications.js';
export { admitsDelivery, type Delivery, type DeliveryAnswer, receiveDelivery } from './receive-notifications.js';
