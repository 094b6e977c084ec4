export { MuripoError } from './error.ts'
export type {
  CreatePaymentParams,
  CreateRefundParams,
  Customer,
  ListCustomersParams,
  ListPaymentsParams,
  ListRefundsParams,
  Payment,
  Refund,
} from './generated/types.ts'
export type { List, Page } from './list.ts'
export { Muripo, type MuripoOptions } from './muripo.ts'
export type { CreateOptions } from './payments.ts'
