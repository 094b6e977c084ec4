import type { Currency } from '@muripo/contract/money'
import { z } from 'zod'
import type { ChargeInput } from '../wallet.ts'

export const Payment = z.object({
  customerMsisdn: z.string(),
  amount: z.number().positive(),
  reason: z.string().min(1).max(500),
  currency: z.string(),
  sourceReference: z.uuidv4(),
})
/** The names are the provider's own, misspelling included. */
export const Refund = z.object({
  origionalEcocashTransactionReference: z.string(),
  refundCorelator: z.uuidv4(),
  sourceMobileNumber: z.string(),
  amount: z.number().positive(),
  clientName: z.string().min(1).max(500),
  currency: z.string(),
  reasonForRefund: z.string().min(1).max(500),
})
export const Lookup = z.object({ sourceMobileNumber: z.string(), sourceReference: z.string() })

export const currencies: Readonly<Record<string, Currency & ChargeInput['currency']>> = {
  USD: 'USD',
  ZWG: 'ZWG',
  ZiG: 'ZWG',
}
