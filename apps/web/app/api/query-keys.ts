import type { ActivityFilters } from '../lib/activity-filters.ts'
import type { Filters } from '../lib/payment-filters.ts'

/** An endpoint of an application. */
export interface EndpointRef {
  readonly applicationId: string
  readonly webhookId: string
}

const deliveries = ({ applicationId, webhookId }: EndpointRef) =>
  ['webhooks', applicationId, webhookId, 'deliveries'] as const

/** Every key of the query cache. A key that begins with another one is invalidated with it. */
export const queryKeys = {
  account: ['account'] as const,
  sessions: ['account', 'sessions'] as const,
  passkeys: ['passkeys'] as const,
  merchants: ['merchants'] as const,
  team: ['team'] as const,
  factors: ['factors'] as const,
  activity: (filters: ActivityFilters) => ['activity', filters] as const,
  stats: ['stats'] as const,
  applications: ['applications'] as const,
  application: (applicationId: string) => ['applications', applicationId] as const,
  namedKeys: (applicationId: string) => ['named-keys', applicationId] as const,
  endpoints: (applicationId: string) => ['webhooks', applicationId] as const,
  deliveries,
  deliveryList: (endpoint: EndpointRef) => [...deliveries(endpoint), 'list'] as const,
  delivery: (endpoint: EndpointRef, eventId: string) => [...deliveries(endpoint), eventId] as const,
  paymentOptions: ['payment-options'] as const,
  payments: ['payments'] as const,
  /** Of the requests that change a payment, in the cache of mutations. */
  paymentChange: ['payment-change'] as const,
  paymentList: (filters: Filters) => ['payments', filters] as const,
  allPaymentDetails: ['payment-details'] as const,
  paymentDetails: (paymentId: string) => ['payment-details', paymentId] as const,
  tillToday: ['till'] as const,
  till: (search: string) => ['till', search] as const,
  tillPayment: (paymentId: string) => ['till-payment', paymentId] as const,
  tillQr: (paymentId: string) => ['till-qr', paymentId] as const,
}
