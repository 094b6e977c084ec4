/** A charge or a refund in the simulator's own records, by the key that the gateway gave it. */
export interface ProviderRecord {
  readonly key: string
  /** The number of times that the gateway has requested it; a second one is a bug. */
  readonly requests: number
  /** Of a refund: the key of the refunded charge. */
  readonly original: string
  readonly kind: 'wallet' | 'code' | 'card' | 'pesepay' | 'refund'
  readonly minor: number
  readonly isPaid: boolean
  readonly isPending: boolean
  /** The amount of a paid charge that no refund has returned or will return. */
  readonly remainingMinor: number
  /** The amount that the provider took back without a request. */
  readonly takenBackMinor: number
  /** The bank of a card still reserves the amount, and nobody has requested its release. */
  readonly isReserved: boolean
  /** The amount of an authorisation was captured. */
  readonly isCaptured: boolean
  /** The provider's own reference, where its controls need it. */
  readonly reference: string
}

interface Transaction {
  readonly kind: string
  readonly correlator: string
  readonly minor: number
  readonly refundedMinor: number
  readonly status: string
  readonly requests: number
  readonly reference: string
  readonly originalReference: string | null
}
interface Code {
  readonly reference: string
  readonly minor: number
  readonly state: string
}
interface Order {
  readonly id: string
  readonly chargedBack: number
  readonly operation: string
  readonly requests: number
  readonly transactions: readonly {
    readonly id: string
    readonly type: string
    readonly minor: number
    readonly result: string
    readonly requests: number
  }[]
}
interface PesepayPayment {
  readonly merchantReference: string | null
  readonly pollUrl: string
  readonly amountDetails: { readonly amount: number }
  readonly transactionStatus: string
}

const record = (
  facts: Pick<ProviderRecord, 'key' | 'kind' | 'minor' | 'isPaid'> & Partial<ProviderRecord>,
): ProviderRecord => ({
  isPending: false,
  remainingMinor: 0,
  takenBackMinor: 0,
  isReserved: false,
  isCaptured: false,
  requests: 1,
  original: '',
  reference: '',
  ...facts,
})

function walletRecord(transaction: Transaction, original = ''): ProviderRecord {
  const { kind, correlator, minor, refundedMinor, status, requests } = transaction
  const remainingMinor = minor - refundedMinor
  return record({
    key: correlator,
    kind: kind === 'charge' ? 'wallet' : 'refund',
    requests,
    original,
    minor,
    isPaid: ['completed', 'refunded', 'reversed'].includes(status),
    isPending: status === 'pending',
    remainingMinor: status === 'completed' ? remainingMinor : 0,
    takenBackMinor: status === 'reversed' ? remainingMinor : 0,
  })
}

/** An order is the charge. A void cancels the whole payment, and has the key of its refund. */
function cardRecords({ id, operation, chargedBack, transactions, requests }: Order): ProviderRecord[] {
  const sumOf = (each: readonly { readonly minor: number }[]) =>
    each.reduce((sum, { minor }) => sum + minor, 0)
  const minor = sumOf(
    transactions.filter(({ result, type }) => result === 'SUCCESS' && /^(PAYMENT|CAPTURE)$/.test(type)),
  )
  const refunds = transactions.filter(({ type }) => /^(REFUND|VOID_PAYMENT|VOID_CAPTURE)$/.test(type))
  const returned = sumOf(refunds.filter(({ result }) => result !== 'FAILURE'))
  return [
    record({
      key: id,
      kind: 'card',
      requests,
      minor,
      isPaid: minor > 0,
      isCaptured: operation === 'AUTHORIZE' && minor > 0,
      remainingMinor: minor - returned - chargedBack,
      takenBackMinor: chargedBack,
      isReserved:
        minor === 0 &&
        transactions.some(({ result, type }) => result === 'SUCCESS' && type === 'AUTHORIZATION') &&
        !transactions.some(({ type }) => type === 'VOID_AUTHORIZATION'),
    }),
    ...refunds.map((each) =>
      record({
        key: each.id.replace(/-void$/, ''),
        kind: 'refund',
        requests: each.requests,
        original: id,
        minor: each.minor,
        isPaid: each.result === 'SUCCESS',
      }),
    ),
  ]
}

function pesepayRecord({
  merchantReference,
  pollUrl,
  amountDetails,
  transactionStatus,
}: PesepayPayment): ProviderRecord {
  const minor = Math.round(amountDetails.amount * 100)
  const isTakenBack = transactionStatus === 'REVERSED'
  return record({
    key: merchantReference ?? '',
    kind: 'pesepay',
    minor,
    isPaid: isTakenBack || transactionStatus === 'SUCCESS',
    remainingMinor: isTakenBack ? 0 : minor,
    takenBackMinor: isTakenBack ? minor : 0,
    reference: new URL(pollUrl).searchParams.get('referenceNumber') ?? '',
  })
}

/** The charges of all providers, and the refunds of those that refund by a call. */
export async function readRecords(
  read: <Body>(path: string) => Promise<Body>,
): Promise<Map<string, ProviderRecord>> {
  const { transactions } = await read<{ transactions: Transaction[] }>('/transactions')
  const { codes } = await read<{ codes: Code[] }>('/innbucks/codes')
  const { orders } = await read<{ orders: Order[] }>('/mastercard/orders')
  const { payments } = await read<{ payments: PesepayPayment[] }>('/pesepay/payments')
  const keyOf = new Map(transactions.map(({ reference, correlator }) => [reference, correlator]))
  const all: ProviderRecord[] = [
    ...transactions.map((each) => walletRecord(each, keyOf.get(each.originalReference ?? ''))),
    ...codes.map(({ reference, minor, state }) =>
      record({ key: reference, kind: 'code', minor, isPaid: state === 'Claimed' || state === 'Paid' }),
    ),
    ...orders.flatMap(cardRecords),
    ...payments.map(pesepayRecord),
  ]
  return new Map(all.map((each) => [each.key, each]))
}
