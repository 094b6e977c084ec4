import { z } from 'zod'

/**
 * Every error that a route may return, by its stable code. `title` is the default sentence for people. A route lists its codes; any other
 * error is a bug and returned as `internal_error`.
 */
export const errorCatalogue = {
  malformed_request: { status: 400, title: 'The request could not be read' },
  otp_invalid: { status: 400, title: 'The code is not correct' },
  passkey_refused: { status: 400, title: 'This passkey could not be accepted' },
  session_invalid: { status: 401, title: 'Please sign in again' },
  refresh_invalid: { status: 401, title: 'The session has ended. Please sign in again' },
  credentials_invalid: { status: 401, title: 'The email or the password is not correct' },
  invalid_key: { status: 401, title: 'The application key is missing or not valid' },
  upload_key_invalid: { status: 401, title: 'The upload key is missing or not valid' },
  application_inactive: { status: 403, title: 'This application is not active' },
  application_stopped: { status: 403, title: 'The operator of this gateway has stopped this application' },
  not_permitted: { status: 403, title: 'You are not permitted to do this' },
  second_factor_required: {
    status: 403,
    title: 'Your team requires an authenticator app or a passkey. Please add one to your account',
  },
  step_up_required: { status: 403, title: 'Please confirm that it is you: enter your password or a code' },
  own_proposal: { status: 403, title: 'You proposed this. Somebody else must approve it.' },
  invitation_of_another: { status: 403, title: 'This invitation is for another email address' },
  merchant_not_active: {
    status: 403,
    title: 'This account is not active. You can see everything, but you cannot change anything',
  },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'This address does not accept this method' },
  request_too_slow: { status: 408, title: 'The request took too long to arrive. Please try again' },
  upload_too_slow: { status: 408, title: 'The upload took too long. Please try again' },
  email_taken: { status: 409, title: 'An account with this email already exists' },
  account_removed: {
    status: 409,
    title: 'Nobody had confirmed this account, so it was removed. Please sign up again',
  },
  passkey_taken: { status: 409, title: 'This passkey is already registered' },
  passkeys_full: {
    status: 409,
    title: 'An account can have 10 passkeys. Please remove one that you no longer use',
  },
  totp_enabled: { status: 409, title: 'This account has an authenticator app. Please remove it first' },
  idempotency_in_flight: { status: 409, title: 'A request with this Idempotency-Key is still running' },
  payment_not_refundable: { status: 409, title: 'Only a completed payment can be refunded' },
  payment_not_cancellable: { status: 409, title: 'Only a pending or an authorised payment can be cancelled' },
  payment_not_capturable: { status: 409, title: 'Only an authorised payment can be captured, and once' },
  payment_not_payable: { status: 409, title: 'This payment can no longer be paid' },
  refund_exceeds_remaining: { status: 409, title: 'The amount is more than what remains refundable' },
  refund_conflict: { status: 409, title: 'Part of this payment was refunded in the meantime' },
  capture_declined: { status: 409, title: 'The provider refused the capture' },
  refund_declined: { status: 409, title: 'The provider refused the refund' },
  webhook_limit_reached: {
    status: 409,
    title: 'An application can have 10 webhook endpoints. Please delete one that you no longer use',
  },
  application_limit_reached: {
    status: 409,
    title: 'An account can have 50 applications. Please use one that you already have',
  },
  key_limit_reached: {
    status: 409,
    title: 'An application can have 20 named keys. Please revoke one that you no longer use',
  },
  already_member: { status: 409, title: 'This person is a member of the team already' },
  invitation_limit_reached: {
    status: 409,
    title: 'A team can have 50 open invitations. Please withdraw one first',
  },
  owner_cannot_leave: {
    status: 409,
    title: 'The owner cannot leave the team. Please hand the ownership over first',
  },
  proposal_open: { status: 409, title: 'Somebody has proposed this already' },
  proposal_closed: { status: 409, title: 'This proposal is not open any more' },
  proposal_stale: {
    status: 409,
    title: 'The subject has changed since the proposal. Nothing was executed. Please propose again',
  },
  proposal_refused: { status: 409, title: 'This is not possible in the present state. Nothing has changed' },
  webhook_disabled: { status: 409, title: 'This webhook endpoint is off. Please turn it on first' },
  otp_expired: { status: 410, title: 'The code has expired. Please sign in again' },
  reset_link_expired: { status: 410, title: 'This link has expired or was used. Please ask for a new one' },
  invitation_expired: {
    status: 410,
    title: 'This invitation is not valid any more. Please ask for a new one',
  },
  passkey_expired: { status: 410, title: 'The passkey was asked for too long ago. Please try again' },
  totp_expired: { status: 410, title: 'The secret of the app was shown too long ago. Please start again' },
  query_too_long: { status: 414, title: 'The address of the request is too long' },
  body_too_large: { status: 413, title: 'The request is too large' },
  file_too_large: { status: 413, title: 'File size must be less than 10MB' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  not_a_pdf: { status: 415, title: 'Only PDF files are allowed' },
  validation_failed: { status: 422, title: 'Some fields are not valid' },
  document_invalid: { status: 422, title: 'Please upload your identification document' },
  pdf_encrypted: {
    status: 422,
    title: 'This PDF is protected. Please remove its password, or print it to a new PDF, and upload that',
  },
  pdf_active: {
    status: 422,
    title:
      'This PDF contains scripts, attached files or other active parts. Please print it to a new PDF and upload that',
  },
  pdf_unreadable: {
    status: 422,
    title: 'This PDF could not be checked. Please print it to a new PDF and upload that',
  },
  idempotency_mismatch: { status: 422, title: 'This Idempotency-Key was used with another request' },
  search_too_broad: {
    status: 422,
    title: 'Narrow your search: name fewer days, a status, or more characters of the payment ID',
  },
  capture_mismatch: { status: 422, title: 'The amount or the currency does not fit the authorisation' },
  refund_mismatch: { status: 422, title: 'The amount or the currency does not fit the payment' },
  export_busy: {
    status: 429,
    title: 'Two exports are already running. Please wait for one to end, or cancel it',
  },
  rate_limited: { status: 429, title: 'Too many requests. Please try again later' },
  headers_too_large: { status: 431, title: 'The headers of the request are too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  uploads_full: {
    status: 503,
    title: 'No more documents can be taken at the moment. Please try again later',
  },
  storage_low: {
    status: 503,
    title: 'The gateway is low on disk space and takes no new data at the moment. Please try again later',
  },
  overloaded: {
    status: 503,
    title: 'Too many requests are waiting. Nothing was changed. Please try again in a moment',
  },
  service_unavailable: { status: 503, title: 'The service is not available right now. Please try again' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof errorCatalogue

/** The text of an error by its code, for clients that translate it: one code of the catalogue may have several texts. */
export const Reason = z.object({
  code: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type Reason = z.infer<typeof Reason>

/** RFC 9457. `message` repeats `detail` for clients that read that name. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  message: z.string(),
  code: z.string(),
  requestId: z.string(),
  reason: Reason.optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string(), reason: Reason.optional() })).optional(),
})
export type Problem = z.infer<typeof Problem>
