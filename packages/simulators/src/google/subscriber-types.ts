/** A subscriber in the vendor's response format. */
export interface SubscriberResource {
  name: string;
  endpointUri: string;
  subscriberConfigs: { dataTypes: string[]; subscriptionCreatePolicy: 'AUTOMATIC' | 'MANUAL' }[];
  endpointAuthorization: { secretSet: boolean };
  state: 'UNVERIFIED' | 'ACTIVE' | 'INACTIVE';
  createTime: string;
  updateTime: string;
}

/** A notification to one subscriber. */
export interface DeliveryRecord {
  id: string;
  subscriber: string;
  account: string;
  dataType: string;
  operation: 'UPSERT' | 'DELETE';
  state: 'pending' | 'delivered' | 'given_up';
  /** HTTP status of each attempt; 0 if there was no response. */
  attempts: number[];
  createdAt: string;
}
