import { toDecimal } from '@muripo/contract/money'
import type { PaymentMethod } from '@muripo/contract/payments'
import { type ChargeRequest, phoneOf } from '../connector.ts'
import { plainText } from '../texts.ts'
import type { Integration } from './config.ts'
import type { PaynowConfig } from './settings.ts'
import { signedBody } from './wire.ts'

/** A wallet is charged directly; a card is entered at Paynow's own page, so that no card number passes through the gateway. */
export const wallets: Readonly<Partial<Record<PaymentMethod, { needsPhone: boolean }>>> = {
  ecocash: { needsPhone: true },
  onemoney: { needsPhone: true },
  innbucks: { needsPhone: false },
}

/** 263711234567 as 0711234567. */
const localNumber = (msisdn: string): string => `0${msisdn.slice(3)}`

export function chargeCall(config: PaynowConfig, { id, key }: Integration, request: ChargeRequest) {
  const wallet = wallets[request.method]
  const authemail = config.testMode ? config.email : (request.email ?? config.email)
  const common = [
    ['id', id],
    ['reference', request.key],
    ['amount', toDecimal(request.amount)],
    ['additionalinfo', plainText(request.description, 'Payment')],
    ['returnurl', request.returnUrl],
    ['resulturl', request.callbackUrl],
    ['authemail', authemail],
  ] as const
  const phone = wallet?.needsPhone ? ([['phone', localNumber(phoneOf(request))]] as const) : []
  // A look-up finds the charge by this field when the reply with the address of its status was lost.
  const last = [
    ['merchanttrace', request.key],
    ['status', 'Message'],
  ] as const
  return wallet
    ? {
        path: '/interface/remotetransaction',
        text: signedBody([...common, ...phone, ['method', request.method], ...last], key),
      }
    : { path: '/interface/initiatetransaction', text: signedBody([...common, ...last], key) }
}

export const traceCall = ({ id, key }: Integration, charge: string) => ({
  path: '/interface/trace',
  text: signedBody(
    [
      ['id', id],
      ['merchanttrace', charge],
      ['status', 'Message'],
    ],
    key,
  ),
})
