import { decidersOf, isImmediate, type ProposalKind } from '@muripo/contract/console-permissions'
import { useMe } from '../api.ts'
import { textsOf } from '../text.ts'

export const kindText = textsOf<ProposalKind>({
  'merchant.approve': 'kindApprove',
  'merchant.suspend': 'kindSuspend',
  'merchant.resume': 'kindResume',
  'merchant.close': 'kindClose',
  'application.stop': 'kindStop',
  'application.resume': 'kindResumeApplication',
  'key.revoke': 'kindRevoke',
  'banking.approve': 'kindBanking',
  'banking.reject': 'kindBankingRefuse',
  'attempt.resolve': 'kindAttempt',
  'anomaly.resolve': 'kindReview',
  'payment.reverse': 'kindReverse',
  'payment.return': 'kindReturn',
  'refund.open': 'kindRefundOpen',
  'refund.resolve': 'kindRefund',
  'refund.batch': 'kindBatch',
  'refund.bounce': 'kindBounce',
  'refund.settle': 'kindSettle',
  'ledger.adjust': 'kindAdjust',
  'provider.disable': 'kindPause',
  'provider.enable': 'kindUnpause',
  'provider.route': 'kindRoute',
  'person.remove_authenticator': 'kindAuthenticator',
  'operator.add': 'kindOperator',
  'operator.role': 'kindRole',
  'operator.remove': 'kindRemove',
})

/** Returns whether the operator decides a kind, and whether the decision is executed without a second operator. */
export function useDecider() {
  const { data: me } = useMe()
  return {
    decides: (kind: ProposalKind): boolean => me !== undefined && decidersOf[kind].has(me.role),
    isAlone: (kind: ProposalKind): boolean => me?.fourEyes !== 'on' || isImmediate(kind),
  }
}
