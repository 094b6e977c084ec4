import type { Attempt, Payment } from './payment.ts'

/** The part of a change set that ends a payment or moves an attempt. */
interface Change {
  readonly payment: Pick<Payment, 'status'>
  readonly attempt?: {
    readonly before: Pick<Attempt, 'provider' | 'status'>
    readonly change: Partial<Pick<Attempt, 'status'>>
  }
}

export interface OutcomeCount {
  readonly outcome: string
  readonly provider: string
  readonly count: number
}

/** Payments without an attempt have no provider. */
const NO_PROVIDER = 'none'

/** Counters of this process since its start: committed changes that ended a payment or gave an attempt a new status. */
export interface PaymentCounts {
  note(change: Change, after: Pick<Payment, 'status'>): void
  payments(): readonly OutcomeCount[]
  attempts(): readonly OutcomeCount[]
}

export function createPaymentCounts(): PaymentCounts {
  const payments = new Map<string, OutcomeCount>()
  const attempts = new Map<string, OutcomeCount>()

  function add(counts: Map<string, OutcomeCount>, outcome: string, provider: string): void {
    const key = `${outcome} ${provider}`
    counts.set(key, { outcome, provider, count: (counts.get(key)?.count ?? 0) + 1 })
  }

  return {
    note({ payment, attempt }, after) {
      const provider = attempt?.before.provider ?? NO_PROVIDER
      if (after.status !== payment.status) add(payments, after.status, provider)
      const status = attempt?.change.status
      if (attempt && status !== undefined && status !== attempt.before.status) add(attempts, status, provider)
    },
    payments: () => [...payments.values()],
    attempts: () => [...attempts.values()],
  }
}
