export { MuripoError } from './error.ts'
export type {
  CapturePaymentParams,
  ChangeWebhookParams,
  CreatePaymentParams,
  CreateRefundParams,
  CreateWebhookParams,
  Customer,
  ListCustomersParams,
  ListEventsParams,
  ListPaymentsParams,
  ListRefundsParams,
  ListWebhooksParams,
  MuripoEvent,
  NewWebhook,
  Payment,
  Redelivery,
  Refund,
  RotatedWebhook,
  Webhook,
} from './generated/types.ts'
export type { List, Page } from './list.ts'
export { Muripo, type MuripoOptions } from './muripo.ts'
export type { CreateOptions } from './payments.ts'
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'
