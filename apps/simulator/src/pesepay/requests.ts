import { z } from 'zod'
import type { PesepayPayment } from './payments.ts'

export const currencies: Readonly<Record<string, 'USD' | 'ZWG'>> = { USD: 'USD', ZiG: 'ZWG' }
/** A blank address is accepted and stored as NONE. */
const Address = z.string().transform((text) => text.trim() || 'NONE')
export const Initiation = z.object({
  amountDetails: z.object({ amount: z.number().positive(), currencyCode: z.enum(['USD', 'ZiG']) }),
  reasonForPayment: z.string().min(1),
  resultUrl: Address,
  returnUrl: Address,
  merchantReference: z.string().optional(),
})
const Phone = z.object({ customerPhoneNumber: z.string().regex(/^07\d{8}$/) })
const WalletPayment = Initiation.extend({
  paymentMethodCode: z.string(),
  customer: z.object({
    name: z.string().min(1),
    phoneNumber: z.string().optional(),
    email: z.string().optional(),
  }),
  paymentMethodRequiredFields: Phone,
  paymentRequestFields: Phone.optional(),
})

/** The codes of the wallets. The provider publishes those in US dollars only. */
export const catalogue = {
  USD: { ecocash: 'PZW211', innbucks: 'PZW212' },
  ZiG: { ecocash: 'SIM211', innbucks: 'SIM212' },
} as const

export const Envelope = z.object({ payload: z.string() })

/** The wallet of a request; null when the request has none of the catalogue. */
export function walletIn(body: unknown): { readonly wallet: PesepayPayment['wallet'] } | null {
  const parsed = WalletPayment.safeParse(body)
  if (!parsed.success) return null
  const { customer, paymentMethodCode, amountDetails, paymentMethodRequiredFields } = parsed.data
  const codes = catalogue[amountDetails.currencyCode]
  const method = (['ecocash', 'innbucks'] as const).find((name) => codes[name] === paymentMethodCode)
  // The customer has at least one of both.
  if (method === undefined || !(customer.phoneNumber || customer.email)) return null
  return { wallet: { method, phone: paymentMethodRequiredFields.customerPhoneNumber } }
}
