import { type Currency as CurrencyCode, currencies } from '@muripo/contract/money'
import { z } from 'zod'
import { readMinor } from '../request-fields.ts'

/** An amount in major units. */
const Amount = z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)])
const Id = z.string().min(1).max(40)
const Currency = z.string().length(3)
const Url = z.url({ protocol: /^https?$/ }).max(1024)

export const Checkout = z.object({
  apiOperation: z.literal('INITIATE_CHECKOUT'),
  checkoutMode: z.literal('WEBSITE').optional(),
  interaction: z.object({
    operation: z.enum(['PURCHASE', 'AUTHORIZE']),
    merchant: z.object({ name: z.string().min(1).max(40) }),
    returnUrl: Url,
    cancelUrl: Url.optional(),
    timeoutUrl: Url.optional(),
    redirectMerchantUrl: Url.optional(),
    retryAttemptCount: z.coerce.number().int().min(0).max(3).optional(),
    timeout: z.coerce.number().int().min(600).max(5_183_940).default(1800),
    displayControl: z.record(z.string(), z.string()).optional(),
    locale: z.string().optional(),
  }),
  order: z.object({
    id: Id,
    amount: Amount,
    currency: Currency,
    description: z.string().min(1).max(127),
    notificationUrl: Url.optional(),
    reference: z.string().max(200).optional(),
  }),
})

/** A session for the fields of the gateway, which has no order yet. */
export const HostedSession = z.strictObject({
  session: z.object({ authenticationLimit: z.int().min(1).max(25).default(5) }),
})

const Refund = z.object({
  apiOperation: z.literal('REFUND'),
  transaction: z.object({
    amount: Amount,
    currency: Currency,
    reference: z.string().max(200).optional(),
  }),
})

const Capture = z.object({
  apiOperation: z.literal('CAPTURE'),
  transaction: z.object({ amount: Amount, currency: Currency }),
})

const Void = z.object({
  apiOperation: z.literal('VOID'),
  transaction: z.object({ targetTransactionId: Id }),
})

/** An operation on a paid or authorised order. */
export const Operation = z.discriminatedUnion('apiOperation', [Capture, Refund, Void])

const Session = z.object({ id: z.string() })

const Initiate = z.object({
  apiOperation: z.literal('INITIATE_AUTHENTICATION'),
  authentication: z.object({ channel: z.literal('PAYER_BROWSER') }),
  order: z.object({ currency: Currency }),
  session: Session,
})
const Authenticate = z.object({
  apiOperation: z.literal('AUTHENTICATE_PAYER'),
  authentication: z.object({ redirectResponseUrl: z.url() }),
  device: z.object({
    browser: z.string().min(1).max(255),
    browserDetails: z.object({
      '3DSecureChallengeWindowSize': z.string(),
      acceptHeaders: z.string().min(1),
      colorDepth: z.int(),
      javaEnabled: z.boolean(),
      language: z.string().min(2),
      screenHeight: z.int(),
      screenWidth: z.int(),
      timeZone: z.int(),
    }),
    ipAddress: z.string().min(1),
  }),
  order: z.object({ amount: Amount, currency: Currency }),
  session: Session,
})
export const Pay = z.object({
  apiOperation: z.enum(['PAY', 'AUTHORIZE']),
  authentication: z.object({ transactionId: z.string() }).optional(),
  order: z.object({ amount: Amount, currency: Currency, notificationUrl: z.url().optional() }),
  session: Session,
})
/** A call with the card in the fields of a session. */
export const SessionCall = z.discriminatedUnion('apiOperation', [Initiate, Authenticate, Pay])
export type SessionCall = z.infer<typeof SessionCall>

/** Null when the currency is unknown or has no such amount. */
export function minorOf(
  amount: number | string,
  code: string,
): { minor: number; currency: CurrencyCode } | null {
  const currency = currencies.find((each) => each === code)
  const minor = currency && readMinor(Number(amount), currency)
  return currency === undefined || typeof minor !== 'number' ? null : { minor, currency }
}
