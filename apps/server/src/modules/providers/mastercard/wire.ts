import { z } from 'zod'
import { optionalObject, word } from '../json.ts'

/**
 * One transaction of an order, alone or in the list of its order. The card is left out: even its masked number is not stored.
 */
export const Transaction = z.object({
  result: word,
  response: optionalObject({ gatewayCode: word, gatewayRecommendation: word }),
  order: optionalObject({ id: word, amount: word, currency: word }),
  transaction: optionalObject({
    id: word,
    type: word,
    amount: word,
    currency: word,
    receipt: word,
    targetTransactionId: word,
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
  chargeback: optionalObject({ amount: word }),
  transaction: z.array(Transaction).catch([]),
})
export type Order = z.infer<typeof Order>

export const Session = z.object({ result: word, session: optionalObject({ id: word }) })

/** The answer to an authentication, with the form that opens the page of the card's bank. */
export const Authentication = z.object({
  transaction: optionalObject({ authenticationStatus: word }),
  authentication: optionalObject({
    redirect: optionalObject({
      customizedHtml: optionalObject({ '3ds2': optionalObject({ acsUrl: word, cReq: word }) }),
    }),
  }),
})

export const Failure = z.object({ result: word, error: optionalObject({ cause: word, explanation: word }) })
