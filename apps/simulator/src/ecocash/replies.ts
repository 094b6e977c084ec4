import { money, toMajor } from '@muripo/contract/money'
import type { CallbackMessage } from '../callbacks.ts'
import type { SimulatorConfig } from '../config.ts'
import type { Transaction } from '../ledger.ts'

type Occasion = 'charge' | 'query' | 'refund' | 'callback'

const legacyWords = {
  pending: 'PENDING SUBSCRIBER VALIDATION',
  completed: 'COMPLETED',
  failed: 'FAILED',
  refunded: 'REFUNDED',
  reversed: 'REVERSED',
} as const

const portalWords = {
  pending: 'PENDING',
  completed: 'SUCCESS',
  failed: 'FAILED',
  refunded: 'REFUNDED',
  reversed: 'REVERSED',
} as const

const majorOf = ({ minor, currency, behaviour }: Transaction): number =>
  behaviour.echoAmount ?? toMajor(money(BigInt(minor), currency))

const currencyOf = ({ currency, behaviour }: Transaction): string => behaviour.echoCurrency ?? currency

/** The status that the protocol has a word for. */
const shownStatus = ({ status, isUnreported }: Transaction): Transaction['status'] =>
  isUnreported ? 'completed' : status

const isPaid = ({ status }: Transaction): boolean => status !== 'pending' && status !== 'failed'

/** The transaction as the provider words it. */
export function render(config: SimulatorConfig, transaction: Transaction, occasion: Occasion): object {
  const vocabulary = transaction.behaviour.vocabulary ?? config.vocabulary
  return vocabulary === 'legacy'
    ? renderLegacy(config, transaction, occasion)
    : renderPortal(config, transaction, occasion)
}

/** A callback is unsigned and sent once, for neither is documented. */
export const callbackOf = (config: SimulatorConfig, transaction: Transaction): CallbackMessage => ({
  contentType: 'application/json',
  body: JSON.stringify(render(config, transaction, 'callback')),
  attempts: 1,
})

/** With the legacy gateway's habits: numbers without 263, the merchant's PIN sent back, and in a query the two parties swapped. */
function renderLegacy(config: SimulatorConfig, transaction: Transaction, occasion: Occasion): object {
  const subscriber = transaction.number.slice(3)
  const merchant = transaction.merchantNumber
  const [endUserId, merchantNumber] = occasion === 'query' ? [merchant, subscriber] : [subscriber, merchant]
  return {
    id: transaction.sequence,
    clientCorrelator: transaction.correlator,
    startTime: transaction.createdAt,
    endTime: transaction.endedAt,
    notifyUrl: transaction.notifyUrl,
    referenceCode: transaction.referenceCode,
    endUserId,
    serverReferenceCode: `SRV${transaction.sequence}`,
    transactionOperationStatus: legacyWords[shownStatus(transaction)],
    paymentAmount: {
      charginginformation: {
        amount: majorOf(transaction),
        currency: currencyOf(transaction),
        description: transaction.remarks,
      },
      chargeMetaData: {
        channel: 'WEB',
        purchaseCategoryCode: 'Online Payment',
        onBeHalfOf: transaction.shopName,
      },
      totalAmountCharged: null,
    },
    ecocashReference: isPaid(transaction) ? transaction.reference : null,
    originalEcocashReference: transaction.originalReference,
    merchantCode: config.merchantCode,
    merchantPin: config.merchantPin,
    merchantNumber,
    responseCode: null,
    ...(transaction.status === 'failed' ? { statusMessage: transaction.message } : {}),
  }
}

/** With the portal's habit of calling a pending transaction successful in its message. */
function renderPortal(config: SimulatorConfig, transaction: Transaction, occasion: Occasion): object {
  return {
    transactionId: transaction.reference,
    clientCorrelator: transaction.correlator,
    status: portalWords[shownStatus(transaction)],
    statusCode: '200',
    statusMessage: transaction.message ?? 'Transaction Successful',
    amount: majorOf(transaction),
    currency: currencyOf(transaction),
    endUserId: transaction.number,
    merchantCode: config.merchantCode,
    ...(occasion === 'refund' || transaction.kind === 'refund'
      ? { originalReference: transaction.originalReference }
      : {}),
    timestamp: new Date(transaction.endedAt ?? transaction.createdAt).toISOString(),
  }
}

/** The legacy gateway's response to a look-up of an unknown charge. */
export const nothingAtAll = {
  id: null,
  clientCorrelator: null,
  startTime: null,
  endTime: null,
  notifyUrl: null,
  referenceCode: null,
  endUserId: null,
  serverReferenceCode: null,
  transactionOperationStatus: null,
  paymentAmount: { charginginformation: null, chargeMetaData: null, totalAmountCharged: null },
  ecocashReference: null,
  merchantCode: null,
  merchantPin: null,
  merchantNumber: null,
  responseCode: null,
}
