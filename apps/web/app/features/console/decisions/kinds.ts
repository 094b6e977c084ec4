import { decidersOf, immediateKinds, type ProposalKind } from '@muripo/contract/console-permissions'
import { useMe } from '../api.ts'
import type { ConsoleText } from '../text.ts'

const kindTexts = {
  'merchant.approve': 'kindApprove',
  'merchant.suspend': 'kindSuspend',
  'merchant.resume': 'kindResume',
  'merchant.close': 'kindClose',
  'attempt.resolve': 'kindAttempt',
  'refund.resolve': 'kindRefund',
} as const satisfies Readonly<Record<ProposalKind, Parameters<ConsoleText>[0]>>

export const kindText = (kind: ProposalKind, t: ConsoleText): string => t(kindTexts[kind])

/** Returns whether the operator decides a kind, and whether the decision is executed without a second operator. */
export function useDecider() {
  const { data: me } = useMe()
  return {
    decides: (kind: ProposalKind): boolean => me !== undefined && decidersOf[kind].has(me.role),
    isAlone: (kind: ProposalKind): boolean => me?.fourEyes !== 'on' || immediateKinds.has(kind),
  }
}

const labels: Readonly<
  Record<
    string,
    'diffStatus' | 'diffPayersSee' | 'diffAttempt' | 'diffRefund' | 'diffReference' | 'diffMoved'
  >
> = {
  Status: 'diffStatus',
  'Payers see': 'diffPayersSee',
  Attempt: 'diffAttempt',
  Refund: 'diffRefund',
  Reference: 'diffReference',
  'Moved amount': 'diffMoved',
}

const words: Readonly<
  Record<
    string,
    | 'merchantNew'
    | 'merchantApproved'
    | 'merchantSuspended'
    | 'merchantClosed'
    | 'wordPending'
    | 'wordHeld'
    | 'wordUnknown'
    | 'wordCompleted'
    | 'wordFailed'
    | 'wordPaid'
  >
> = {
  new: 'merchantNew',
  approved: 'merchantApproved',
  suspended: 'merchantSuspended',
  closed: 'merchantClosed',
  pending: 'wordPending',
  held: 'wordHeld',
  unknown: 'wordUnknown',
  completed: 'wordCompleted',
  failed: 'wordFailed',
  paid: 'wordPaid',
}

/** The server's English names of lines and states as texts of the page; a name that it does not know stays. */
export const diffLabel = (label: string, t: ConsoleText): string => {
  const key = labels[label]
  return key === undefined ? label : t(key)
}
export const stateWord = (state: string, t: ConsoleText): string => {
  const key = words[state]
  return key === undefined ? state : t(key)
}
