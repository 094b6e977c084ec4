import { randomUUID } from 'node:crypto'
import type { ChargeRequest } from '../connector.ts'
import { plainText } from '../texts.ts'
import type { IssuedCode } from './mapping.ts'

export const generateBody = ({ key, description, amount }: ChargeRequest) => ({
  reference: key,
  narration: plainText(description, 'Payment'),
  amount: Number(amount.minor),
  type: 'PAYMENT',
})

/** The reference is that of the inquiry: the code alone identifies the payment. */
export const inquiryBody = ({ code }: IssuedCode) => ({ reference: randomUUID(), code })
