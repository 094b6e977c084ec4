import { inWords } from './entries.ts'
import { answer, type WalletCall, type WalletRecords } from './records.ts'

interface ChargeRequest {
  readonly clientCorrelator: string
  readonly notifyUrl: string
  readonly tranType: 'MER' | 'REF'
  readonly paymentAmount: {
    readonly charginginformation: { readonly amount: number; readonly currency: string }
  }
}

/** Responds like EcoCash: a look-up, a charge or a refund. */
export function answerEcocash(records: WalletRecords, { request, response, body }: WalletCall): void {
  if (request.method === 'GET') {
    const entry = records.entries.get(decodeURIComponent(request.url?.split('/').at(-1) ?? ''))
    answer(response, entry ? 200 : 404, entry ? inWords(entry) : { errorCode: 'E008' })
    return
  }
  const requested = JSON.parse(body) as ChargeRequest
  const { amount, currency } = requested.paymentAmount.charginginformation
  const kind = requested.tranType === 'REF' ? 'refund' : 'charge'
  const facts = {
    kind,
    key: requested.clientCorrelator,
    reference: records.referenceOf(kind),
    amount,
    currency,
  } as const
  const entry = records.record(facts, requested.notifyUrl)
  if (entry) records.decide(entry, response, inWords)
  else answer(response, 409, { message: 'Duplicate clientCorrelator' })
}
