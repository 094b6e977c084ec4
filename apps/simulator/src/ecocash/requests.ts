import type { Currency } from '@muripo/contract/money'
import { z } from 'zod'
import { readMinor, readNumber } from '../request-fields.ts'
import type { ChargeInput } from '../wallet.ts'
import type { RefusalCode } from './refusals.ts'

const Text = z.string().trim().min(1).max(500)

const AmountTransaction = z.object({
  clientCorrelator: Text.max(64),
  notifyUrl: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
  referenceCode: Text,
  tranType: z.enum(['MER', 'REF', 'REV']),
  endUserId: Text,
  remarks: z.string().max(500).optional(),
  paymentAmount: z.object({
    charginginformation: z.object({
      // Clients send both.
      amount: z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)]),
      currency: Text,
    }),
    chargeMetaData: z.object({ onBeHalfOf: z.string().max(500).optional() }).optional(),
  }),
  merchantCode: Text,
  merchantPin: Text,
  merchantNumber: Text,
  merchantName: z.string().max(500).optional(),
  originalEcocashReference: Text.optional(),
})

const currencyCodes: Readonly<Record<string, Currency & ChargeInput['currency']>> = {
  USD: 'USD',
  'USD-FCA': 'USD',
  ZWG: 'ZWG',
}

type Read =
  | { refusal: RefusalCode; field?: string }
  | {
      input: ChargeInput
      tranType: 'MER' | 'REF' | 'REV'
      merchantCode: string
      merchantPin: string
      originalReference: string | null
    }

/** The body of a charge or a refund, or the first thing that the provider would object to. */
export function readAmountTransaction(body: unknown): Read {
  const parsed = AmountTransaction.safeParse(body)
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? ''
    return { refusal: field.endsWith('.amount') ? 'E004' : 'E001', field }
  }
  const { data } = parsed
  const number = readNumber(data.endUserId)
  if (number === null) return { refusal: 'E002' }
  const { amount, currency: code } = data.paymentAmount.charginginformation
  const currency = currencyCodes[code]
  if (currency === undefined) return { refusal: 'E003' }
  const minor = readMinor(Number(amount), currency)
  if (minor === null) return { refusal: 'E004' }
  return {
    input: {
      correlator: data.clientCorrelator,
      number,
      minor,
      currency,
      notifyUrl: data.notifyUrl ?? null,
      referenceCode: data.referenceCode,
      remarks: data.remarks ?? '',
      shopName: data.merchantName ?? data.paymentAmount.chargeMetaData?.onBeHalfOf ?? data.merchantCode,
      merchantNumber: data.merchantNumber,
    },
    tranType: data.tranType,
    merchantCode: data.merchantCode,
    merchantPin: data.merchantPin,
    originalReference: data.originalEcocashReference ?? null,
  }
}
