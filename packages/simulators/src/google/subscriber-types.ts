/** A subscriber as the vendor answers it. */
export interface SubscriberResource {
  name: string;
  endpointUri: string;
  subscriberConfigs: { dataTypes: string[]; subscriptionCreatePolicy: 'AUTOMATIC' | 'MANUAL' }[];
  endpointAuthorization: { secretSet: boolean };
  state: 'UNVERIFIED' | 'ACTIVE' | 'INACTIVE';
  createTime: string;
  updateTime: string;
}

/** One notification to one subscriber. */
export interface DeliveryRecord {
  id: string;
  subscriber: string;
  account: string;
  dataType: string;
  operation: 'UPSERT' | 'DELETE';
  state: 'pending' | 'delivered' | 'given_up';
  /** HTTP status of each try; 0 when there was no answer. */
  attempts: number[];
  createdAt: string;
}
