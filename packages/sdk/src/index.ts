export { MuripoError } from './error.ts'
export type { CreatePaymentParams, Payment } from './generated/types.ts'
export { Muripo, type MuripoOptions } from './muripo.ts'
export type { CreateOptions } from './payments.ts'
