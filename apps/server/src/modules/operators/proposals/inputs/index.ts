import type { ProposalKind } from '@muripo/contract/console-permissions'
import { ofKind, type ProposalInput } from '@muripo/contract/proposals'
import type { Ctx } from '../../../../platform/ctx.ts'
import { invalidField } from '../../../../platform/errors.ts'
import type { KindTypes } from '../payloads.ts'
import {
  adjustmentPayload,
  applicationPayload,
  bankingPayload,
  keyPayload,
  merchantPayload,
  newOperatorPayload,
  operatorPayload,
  personPayload,
  providerPayload,
  rolePayload,
  routePayload,
} from './of-others.ts'
import {
  anomalyPayload,
  attemptPayload,
  batchPayload,
  bouncePayload,
  openRefundPayload,
  refundPayload,
  returnPayload,
  reversalPayload,
  settlePayload,
} from './of-payments.ts'

type OwnField = keyof typeof ofKind

interface Input<Payload> {
  /** The fields that the kind has besides subject and reason. */
  readonly fields: readonly OwnField[]
  readonly read: (ctx: Ctx, input: ProposalInput) => Payload | Promise<Payload>
}

const input = <Payload>(read: Input<Payload>['read'], ...fields: readonly OwnField[]): Input<Payload> => ({
  fields,
  read,
})

const ofMerchant = input((_ctx, given) => merchantPayload(given))
const ofAccount = input((_ctx, given) => providerPayload(given))

const inputs: { readonly [Name in ProposalKind]: Input<KindTypes[Name]['payload']> } = {
  'merchant.approve': { ...ofMerchant, fields: ['seen', 'reserved'] },
  'merchant.suspend': ofMerchant,
  'merchant.resume': ofMerchant,
  'merchant.close': ofMerchant,
  'application.stop': input(applicationPayload),
  'application.resume': input(applicationPayload),
  'key.revoke': input(keyPayload, 'mode'),
  'banking.approve': input(bankingPayload, 'revision'),
  'banking.reject': input(bankingPayload, 'revision'),
  'attempt.resolve': input(attemptPayload, 'attempt', 'outcome', 'reference', 'amount'),
  'anomaly.resolve': input(anomalyPayload, 'review', 'outcome', 'reference', 'amount', 'to'),
  'payment.reverse': input(reversalPayload, 'amount'),
  'payment.return': input(returnPayload, 'amount', 'review'),
  'refund.open': input(openRefundPayload, 'amount', 'byHand'),
  'refund.resolve': input(refundPayload, 'outcome', 'reference', 'although', 'amount'),
  'refund.batch': input(batchPayload, 'refunds'),
  'refund.bounce': input(bouncePayload),
  'refund.settle': input(settlePayload, 'amount'),
  'ledger.adjust': input(adjustmentPayload, 'debit', 'credit', 'amount', 'currency', 'payment', 'forTests'),
  'provider.disable': ofAccount,
  'provider.enable': ofAccount,
  'provider.route': input(routePayload, 'method', 'currency', 'route'),
  'person.remove_authenticator': input(personPayload),
  'operator.add': input((_ctx, given) => newOperatorPayload(given), 'name', 'role'),
  'operator.role': input((_ctx, given) => rolePayload(given), 'role'),
  'operator.remove': input((_ctx, given) => operatorPayload(given)),
}

const ownFields = Object.keys(ofKind) as OwnField[]

/**
 * The payload of a decision that the console asks for.
 * @throws AppError not_found; validation_failed, also for a field of another kind, which would be ignored
 */
export async function payloadOf(ctx: Ctx, given: ProposalInput): Promise<KindTypes[ProposalKind]['payload']> {
  const { fields, read } = inputs[given.kind]
  const other = ownFields.find((field) => given[field] !== undefined && !fields.includes(field))
  if (other) throw invalidField(other, `Must not be given for ${given.kind}`)
  return read(ctx, given)
}
