import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { applicationFieldTexts } from '@muripo/contract/application-fields'
import { accountFieldTexts } from '@muripo/contract/auth-fields'
import { brandTexts } from '@muripo/contract/brand'
import { contactFieldTexts } from '@muripo/contract/contact-fields'
import { type ErrorCode, errorCatalogue, type Reason } from '@muripo/contract/errors'
import { fieldTexts } from '@muripo/contract/fields'
import { teamTexts } from '@muripo/contract/team'
import { formProblems } from './form-problems.ts'
import { translatorOf, type ValuesOf } from './translator.ts'

/** The English texts of the reasons of a refusal, by code. A reason is more specific than the error code. */
export const reasons = {
  waitToTry:
    '{unit, select, second {{count, plural, one {Please wait # second before you try again} other {Please wait # seconds before you try again}}} minute {{count, plural, one {Please wait # minute before you try again} other {Please wait # minutes before you try again}}} other {{count, plural, one {Please wait # hour before you try again} other {Please wait # hours before you try again}}}}',
  waitForCode:
    '{unit, select, second {{count, plural, one {Please wait # second before you ask for another code} other {Please wait # seconds before you ask for another code}}} minute {{count, plural, one {Please wait # minute before you ask for another code} other {Please wait # minutes before you ask for another code}}} other {{count, plural, one {Please wait # hour before you ask for another code} other {Please wait # hours before you ask for another code}}}}',
  waitToEnterCode:
    '{unit, select, second {{count, plural, one {Please wait # second before you enter another code} other {Please wait # seconds before you enter another code}}} minute {{count, plural, one {Please wait # minute before you enter another code} other {Please wait # minutes before you enter another code}}} other {{count, plural, one {Please wait # hour before you enter another code} other {Please wait # hours before you enter another code}}}}',
  waitToChangePassword:
    '{unit, select, second {{count, plural, one {Please wait # second before you change your password again} other {Please wait # seconds before you change your password again}}} minute {{count, plural, one {Please wait # minute before you change your password again} other {Please wait # minutes before you change your password again}}} other {{count, plural, one {Please wait # hour before you change your password again} other {Please wait # hours before you change your password again}}}}',
  waitToChangeAccount:
    '{unit, select, second {{count, plural, one {Please wait # second before you change your account again} other {Please wait # seconds before you change your account again}}} minute {{count, plural, one {Please wait # minute before you change your account again} other {Please wait # minutes before you change your account again}}} other {{count, plural, one {Please wait # hour before you change your account again} other {Please wait # hours before you change your account again}}}}',
  waitToWrite:
    '{unit, select, second {{count, plural, one {Please wait # second before you send another message} other {Please wait # seconds before you send another message}}} minute {{count, plural, one {Please wait # minute before you send another message} other {Please wait # minutes before you send another message}}} other {{count, plural, one {Please wait # hour before you send another message} other {Please wait # hours before you send another message}}}}',
  networkBusy: 'Too many requests from your network are in progress. Please wait until they end',
  resetCodeExpired: 'The code has expired. Please ask for a new one',
  noPasskey: 'This account has no passkey',
  passwordCommon: 'This password is used by many people. Please choose another one',
  passwordOfOwnWords:
    'Your password must not be made of your name, email or phone. Please choose another one',
  phoneNotValid: 'Please enter a valid phone number',
} as const satisfies Readonly<Record<string, string>>

const {
  methodFrom,
  methodUpTo,
  phoneInvalid,
  phoneNotEcocash,
  phoneNotOnemoney,
  phoneNotMobile,
  phoneNotForTest,
  phoneBusy,
  phoneBusyToday,
  phonePaused,
} = formProblems
/** The refusals of the payer's page that a cashier sees too. */
const atTill = {
  methodFrom,
  methodUpTo,
  phoneInvalid,
  phoneNotEcocash,
  phoneNotOnemoney,
  phoneNotMobile,
  phoneNotForTest,
  phoneBusy,
  phoneBusyToday,
  phonePaused,
}

/** Further reasons, which only the dashboard shows. */
const dashboardReasons = {
  passwordNotCorrect: 'The password is not correct',
  currentPasswordNotCorrect: 'The current password is not correct',
  ...brandTexts,
  applicationsMissing: teamTexts.applicationsMissing,
  teamFull: 'A team can have {count} members and open invitations. Please remove one first',
  passkeyRequired: 'Your team requires a passkey. Please add one to your account',
  liveKeysOfOtherRoles:
    'The operator of this gateway lets other roles make live keys. Please ask the owner of the account',
  urlNotHttps: 'Must be an https address',
  urlNotHttp: 'Must be an http or https address',
  urlWithPassword: 'Must not contain a user name or a password',
  urlPort: 'Must use port 443 or 8443',
  urlNumber: 'Must be the name of a host, not a number',
  urlNotFullName: 'Must be the full name of a public host',
  urlNotPublic: 'This host is not on the public network',
  ...atTill,
  phoneWithoutWallet: 'No wallet is known for this number. Show a QR instead',
  methodWithoutPrompt: '{method} sends no request to a phone. Show a QR instead',
  methodNotInCurrency: '{method} cannot take {currency}. Choose another currency, or show a QR',
} as const satisfies Readonly<Record<string, string>>

/** The codes of the API whose texts are translated: those that the pages of a guest show. */
const codes = [
  'account_removed',
  'body_too_large',
  'credentials_invalid',
  'document_invalid',
  'email_taken',
  'file_too_large',
  'internal_error',
  'invitation_expired',
  'invitation_of_another',
  'malformed_request',
  'not_a_pdf',
  'not_found',
  'otp_expired',
  'otp_invalid',
  'overloaded',
  'passkey_expired',
  'passkey_refused',
  'pdf_active',
  'pdf_encrypted',
  'pdf_unreadable',
  'rate_limited',
  'request_too_slow',
  'reset_link_expired',
  'service_unavailable',
  'storage_low',
  'unsupported_media_type',
  'upload_key_invalid',
  'upload_too_slow',
  'uploads_full',
  'validation_failed',
] as const satisfies readonly ErrorCode[]

/** Further codes, which only the dashboard shows. */
const dashboardCodes = [
  'already_member',
  'application_inactive',
  'application_limit_reached',
  'application_stopped',
  'capture_declined',
  'capture_mismatch',
  'export_busy',
  'idempotency_in_flight',
  'idempotency_mismatch',
  'invitation_limit_reached',
  'key_limit_reached',
  'merchant_not_active',
  'not_permitted',
  'owner_cannot_leave',
  'passkey_taken',
  'passkeys_full',
  'payment_not_cancellable',
  'payment_not_capturable',
  'payment_not_payable',
  'payment_not_refundable',
  'refund_conflict',
  'refund_declined',
  'refund_exceeds_remaining',
  'refund_mismatch',
  'search_too_broad',
  'second_factor_required',
  'session_invalid',
  'step_up_required',
  'totp_enabled',
  'totp_expired',
  'webhook_disabled',
  'webhook_limit_reached',
] as const satisfies readonly ErrorCode[]

/** Further codes, which only the operator's console shows. */
const consoleCodes = [
  'own_proposal',
  'proposal_closed',
  'proposal_open',
  'proposal_refused',
  'proposal_stale',
] as const satisfies readonly ErrorCode[]

const titlesOf = (listed: readonly ErrorCode[]): Readonly<Record<string, string>> =>
  Object.fromEntries(listed.map((code) => [code, errorCatalogue[code].title]))

/** The English texts of further errors on the dashboard. */
export const dashboardErrors: Readonly<Record<string, string>> = {
  ...titlesOf(dashboardCodes),
  ...dashboardReasons,
  ...applicationFieldTexts,
}

/** The English texts of further errors in the operator's console. */
export const consoleErrors: Readonly<Record<string, string>> = titlesOf(consoleCodes)

/** The English texts of errors: of codes of the API, of the reasons beside them, and of fields. */
export const errors: Readonly<Record<string, string>> = {
  ...titlesOf(codes),
  ...reasons,
  ...fieldTexts,
  ...accountFieldTexts,
  ...contactFieldTexts,
}

const allReasons = { ...reasons, ...dashboardReasons } as const

const english = translatorOf<typeof allReasons>(
  Object.fromEntries(Object.entries(allReasons).map(([code, text]) => [code, compileMessageOrThrow(text)])),
)

/** A reason with its text in English. */
export type ReasonWithText = Reason & { readonly message: string }

export const reasonOf = <Code extends keyof typeof allReasons>(
  code: Code,
  ...values: ValuesOf<(typeof allReasons)[Code]>
): ReasonWithText => ({
  code,
  values: (values[0] ?? {}) as Reason['values'],
  message: english(code, ...values),
})
