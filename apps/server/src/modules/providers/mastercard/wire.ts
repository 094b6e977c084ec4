import { z } from 'zod'
import { word } from '../json.ts'

const part = <T extends z.ZodRawShape>(shape: T) =>
  z
    .object(shape)
    .nullish()
    .transform((value) => value ?? null)
    .catch(null)

/**
 * One transaction of an order, alone or in the list of its order. The card is left out: even its masked number is not stored.
 */
export const Transaction = z.object({
  result: word,
  response: part({ gatewayCode: word, gatewayRecommendation: word }),
  order: part({ id: word, amount: word, currency: word }),
  transaction: part({
    id: word,
    type: word,
    amount: word,
    currency: word,
    receipt: word,
    authenticationStatus: word,
  }),
})
export type Transaction = z.infer<typeof Transaction>

export const Order = z.object({
  id: word,
  currency: word,
  status: word,
  totalAuthorizedAmount: word,
  totalCapturedAmount: word,
  totalRefundedAmount: word,
  chargeback: part({ amount: word }),
  transaction: z.array(Transaction).catch([]),
})
export type Order = z.infer<typeof Order>

export const Session = z.object({ result: word, session: part({ id: word }) })

/** The answer to an authentication, with the form that opens the page of the card's bank. */
export const Authentication = z.object({
  transaction: part({ authenticationStatus: word }),
  authentication: part({
    redirect: part({ customizedHtml: part({ '3ds2': part({ acsUrl: word, cReq: word }) }) }),
  }),
})

export const Failure = z.object({ error: part({ cause: word, explanation: word }) })
