import { z } from 'zod'

/** A TypeID: a prefix that names the kind, then 26 base32 characters of a UUIDv7, so that ids sort by time of creation. */
export type Id<Prefix extends string> = `${Prefix}_${string}` & { readonly __id: Prefix }

const SUFFIX_LENGTH = 26
const suffix = '[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}'

function idType<const Prefix extends string>(prefix: Prefix) {
  const error = `Must be an id that starts with ${prefix}_`
  const schema = z
    .string()
    .max(prefix.length + 1 + SUFFIX_LENGTH, { error, abort: true })
    .regex(new RegExp(`^${prefix}_${suffix}$`), error)
  return Object.assign(schema as unknown as z.ZodType<Id<Prefix>, Id<Prefix>>, { prefix })
}

export const MerchantId = idType('mer')
export type MerchantId = Id<'mer'>
/** The id of one environment of a merchant: live or test. The environment of the gateway's own mode has the merchant's id. */
export const AccountId = idType('mer')
export type AccountId = Id<'mer'>
export const PersonId = idType('per')
export type PersonId = Id<'per'>
export const InvitationId = idType('ivt')
export type InvitationId = Id<'ivt'>
export const SessionId = idType('ses')
export type SessionId = Id<'ses'>
export const OtpId = idType('otp')
export type OtpId = Id<'otp'>
export const PasskeyId = idType('psk')
export type PasskeyId = Id<'psk'>
export const FileId = idType('fil')
export type FileId = Id<'fil'>
export const ApplicationId = idType('app')
export type ApplicationId = Id<'app'>
export const PaymentId = idType('pay')
export type PaymentId = Id<'pay'>
export const CustomerId = idType('cus')
export type CustomerId = Id<'cus'>
/** The transaction record of a payment on the dashboard surface: the same UUID as its `pay_` id under another prefix. */
export const TransactionId = idType('txn')
export type TransactionId = Id<'txn'>
export const AttemptId = idType('att')
export type AttemptId = Id<'att'>
export const RefundId = idType('rfd')
export type RefundId = Id<'rfd'>
/** A contradiction between a provider's answer and the records of a payment. */
export const AnomalyId = idType('ano')
export type AnomalyId = Id<'ano'>
export const AdjustmentId = idType('adj')
export type AdjustmentId = Id<'adj'>
export const EventId = idType('evt')
export type EventId = Id<'evt'>
export const WebhookId = idType('whk')
export type WebhookId = Id<'whk'>
export const SecretId = idType('whs')
export type SecretId = Id<'whs'>
export const KeyId = idType('key')
export type KeyId = Id<'key'>
export const CallbackId = idType('cbk')
export type CallbackId = Id<'cbk'>
export const IncidentId = idType('inc')
export type IncidentId = Id<'inc'>
export const StatementId = idType('stm')
export type StatementId = Id<'stm'>
export const AuditId = idType('aud')
export type AuditId = Id<'aud'>
/** A person of the company that runs this gateway. */
export const OperatorId = idType('opr')
export type OperatorId = Id<'opr'>
export const OperatorSessionId = idType('ops')
export type OperatorSessionId = Id<'ops'>
export const ProposalId = idType('prp')
export type ProposalId = Id<'prp'>

export const transactionOf = (id: PaymentId): TransactionId =>
  `txn_${id.slice('pay_'.length)}` as TransactionId
