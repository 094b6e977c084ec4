/** Another merchant's request for each call under /v1 and /api/v1. A new call needs a line here: the test fails without it. */

/** Ids of the first merchant's objects; a test also uses ids of the same kinds that do not exist. */
export interface Named {
  readonly applicationId: string
  readonly pendingPaymentId: string
  readonly authorizedPaymentId: string
  readonly paidPaymentId: string
  readonly customerId: string
  readonly refundId: string
  readonly sessionId: string
  readonly passkeyId: string
  readonly webhookId: string
  readonly eventId: string
  readonly merchantId: string
  readonly memberId: string
  readonly invitationId: string
  readonly keyId: string
}

export interface Input {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The first merchant has created this order under this key. */
export const keyedOrder = {
  key: 'order-1001',
  body: { amount: 12.5, currency: 'USD', description: 'Order 1001' },
} as const

export type Trial =
  | { readonly kind: 'open' | 'elsewhere'; readonly because: string }
  | { readonly kind: 'about' | 'own' | 'makes'; readonly inputs: (named: Named) => readonly Input[] }

/** A call without authentication that leads to no merchant's object, and the reason. */
const open = (because: string): Trial => ({ kind: 'open', because })

/** A call that needs several requests, and the test that proves its isolation. */
const elsewhere = (because: string): Trial => ({ kind: 'elsewhere', because })

/** A call about a named object: the response for another merchant's object equals the one for an unknown id. */
const about = (...inputs: ((named: Named) => Input)[]): Trial => ({
  kind: 'about',
  inputs: (named) => inputs.map((input) => input(named)),
})

/** A read of the caller's own objects: the response is the same, whatever ids of others the request contains. */
const own = (...inputs: ((named: Named) => Input)[]): Trial => ({
  kind: 'own',
  inputs: (named) => [{}, ...inputs.map((input) => input(named))],
})

/** A write of the caller's own objects that changes no other merchant's, whatever the request contains. */
const makes = (input: (named: Named) => Input): Trial => ({
  kind: 'makes',
  inputs: (named) => [input(named)],
})

/** The password of every merchant in the tests. */
const password = 'correct horse battery'

const beforeSignIn = open('comes before there is a session; a secret of its owner is what it asks for')

/** An address to which these tests send nothing. */
const receiver = { url: 'http://127.0.0.1:9/hooks', events: ['payment.completed'] }

export const trials: Readonly<Record<string, Trial>> = {
  'GET /v1/config': open('is the same for everybody'),
  'GET /v1/status': open('is the same for everybody: how the parts of this gateway are doing'),
  'POST /v1/contact': open('writes to those who run this gateway'),
  'POST /v1/files/upload': open(
    'keeps a document that is nobody’s until a sign-up claims it, and reads none',
  ),
  'POST /v1/auth/signup': open('makes a new merchant'),
  'POST /v1/auth/signin': open('asks for the password'),
  'POST /v1/auth/verify-otp/:otpId': beforeSignIn,
  'POST /v1/auth/passkey/ask/:otpId': beforeSignIn,
  'POST /v1/auth/passkey/verify/:otpId': beforeSignIn,
  'POST /v1/auth/resend-otp/:otpId': beforeSignIn,
  'POST /v1/auth/password/forgot': open(
    'tells nobody who has an account; the code goes to its owner by mail',
  ),
  'POST /v1/auth/password/setnew/:otpId': beforeSignIn,
  'POST /v1/auth/password/reset': open(
    'asks for the token of a mailed link, and knows its account by nothing else',
  ),
  'POST /v1/auth/refresh-token': open('asks for the refresh token, and knows its session by nothing else'),
  'POST /v1/auth/signout': makes(() => ({})),

  'GET /v1/account': own(),
  'PATCH /v1/account': makes(() => ({ body: { timeZone: 'Europe/Paris' } })),
  'POST /v1/account/password': makes(() => ({
    body: { currentPassword: 'correct horse battery', newPassword: 'a password nobody guesses' },
  })),
  'GET /v1/account/sessions': own(),
  'DELETE /v1/account/sessions/:sessionId': about(({ sessionId }) => ({ params: { sessionId } })),
  'DELETE /v1/account/sessions': makes(() => ({})),
  'GET /v1/account/factors': own(),
  'POST /v1/account/totp/start': makes(() => ({ body: { password } })),
  'POST /v1/account/totp': elsewhere(
    'factors.test.ts shows that the code of an app enables the app of its own person only',
  ),
  'POST /v1/account/totp/remove': elsewhere(
    'factors.test.ts shows that it removes the app of its own person',
  ),
  'POST /v1/account/recovery-codes': elsewhere(
    'factors.test.ts shows that it replaces the codes of its own person',
  ),
  'POST /v1/account/step-up': makes(() => ({ body: { password } })),
  'GET /v1/account/passkeys': own(),
  'POST /v1/account/passkeys/start': makes(() => ({ body: { password } })),
  'POST /v1/account/passkeys': elsewhere(
    'manage-passkeys.test.ts shows that no session adds what another began, nor what another account has',
  ),
  'PATCH /v1/account/passkeys/:passkeyId': about(({ passkeyId }) => ({
    params: { passkeyId },
    body: { name: 'Mine now' },
  })),
  'POST /v1/account/passkeys/:passkeyId/remove': about(({ passkeyId }) => ({
    params: { passkeyId },
    body: { password },
  })),

  'GET /v1/account/merchants': own(),
  'POST /v1/account/merchant': about(({ merchantId }) => ({ body: { merchantId } })),

  'POST /v1/invitations/show': open('asks for the token of a mailed link'),
  'POST /v1/invitations/join': open('asks for the token of a mailed link'),
  'POST /v1/invitations/accept': elsewhere(
    'invitations.test.ts shows that a token is good for a session of the invited email only',
  ),
  'GET /v1/activity': own(),
  'GET /v1/team': own(),
  'PATCH /v1/team/policy': makes(() => ({ body: { requireSecondFactor: true } })),
  'POST /v1/team/invitations': makes(() => ({ body: { email: 'new@example.com', role: 'viewer' } })),
  'DELETE /v1/team/invitations/:invitationId': about(({ invitationId }) => ({ params: { invitationId } })),
  'PATCH /v1/team/members/:memberId': about(({ memberId }) => ({
    params: { memberId },
    body: { role: 'viewer' },
  })),
  'DELETE /v1/team/members/:memberId': about(({ memberId }) => ({ params: { memberId } })),
  'POST /v1/team/owner': about(({ memberId }) => ({ body: { memberId, password } })),
  'DELETE /v1/team/owner': elsewhere('team.test.ts shows that the two sides of a hand-over end it'),
  'POST /v1/team/owner/confirm': elsewhere('team.test.ts shows that the next owner confirms it'),

  'GET /v1/applications/all': own(),
  'POST /v1/applications/create': makes(() => ({
    body: { applicationName: 'Another shop', description: 'Sells things', category: 'Retail' },
  })),
  'GET /v1/applications/:applicationId': about(({ applicationId }) => ({ params: { applicationId } })),
  'PATCH /v1/applications/:applicationId/regenerate-key': about(({ applicationId }) => ({
    params: { applicationId },
  })),

  'PATCH /v1/applications/:applicationId/status': about(({ applicationId }) => ({
    params: { applicationId },
    body: { status: 'inactive' },
  })),
  'PUT /v1/applications/:applicationId/banking': about(({ applicationId }) => ({
    params: { applicationId },
    body: {
      bankName: 'CBZ Bank',
      bankAccountNumber: '0123456789',
      bankAccountName: 'Somebody else',
      bankAccountType: 'Current',
    },
  })),

  'PUT /v1/applications/:applicationId/brand': about(({ applicationId }) => ({
    params: { applicationId },
    body: { colour: '#12306b' },
  })),

  'POST /v1/keys/leaked': open('asks for a key, and its answer is the same for every key'),
  'GET /v1/applications/:applicationId/keys': about(({ applicationId }) => ({ params: { applicationId } })),
  'POST /v1/applications/:applicationId/keys': about(({ applicationId }) => ({
    params: { applicationId },
    body: { name: 'Shop', preset: 'online_shop' },
  })),
  'PATCH /v1/applications/:applicationId/keys/:keyId': about(({ applicationId, keyId }) => ({
    params: { applicationId, keyId },
    body: { name: 'Other' },
  })),
  'POST /v1/applications/:applicationId/keys/:keyId/rotate': about(({ applicationId, keyId }) => ({
    params: { applicationId, keyId },
    body: { overlapSeconds: 3600 },
  })),
  'DELETE /v1/applications/:applicationId/keys/:keyId': about(({ applicationId, keyId }) => ({
    params: { applicationId, keyId },
  })),

  'GET /v1/applications/:applicationId/webhooks': about(({ applicationId }) => ({
    params: { applicationId },
  })),
  'POST /v1/applications/:applicationId/webhooks': about(({ applicationId }) => ({
    params: { applicationId },
    body: receiver,
  })),
  'PATCH /v1/applications/:applicationId/webhooks/:webhookId': about(({ applicationId, webhookId }) => ({
    params: { applicationId, webhookId },
    body: { events: ['refund.failed'] },
  })),
  'DELETE /v1/applications/:applicationId/webhooks/:webhookId': about(({ applicationId, webhookId }) => ({
    params: { applicationId, webhookId },
  })),
  'POST /v1/applications/:applicationId/webhooks/:webhookId/rotate-secret': about(
    ({ applicationId, webhookId }) => ({ params: { applicationId, webhookId } }),
  ),
  'POST /v1/applications/:applicationId/webhooks/:webhookId/test': about(({ applicationId, webhookId }) => ({
    params: { applicationId, webhookId },
  })),
  'GET /v1/applications/:applicationId/webhooks/:webhookId/deliveries': about(
    ({ applicationId, webhookId }) => ({ params: { applicationId, webhookId } }),
  ),
  'GET /v1/applications/:applicationId/webhooks/:webhookId/deliveries/:eventId': about(
    ({ applicationId, webhookId, eventId }) => ({ params: { applicationId, webhookId, eventId } }),
  ),
  'POST /v1/applications/:applicationId/webhooks/:webhookId/deliveries/:eventId/resend': about(
    ({ applicationId, webhookId, eventId }) => ({ params: { applicationId, webhookId, eventId } }),
  ),

  'GET /v1/payments/all': own(
    ({ applicationId }) => ({ query: { applicationId } }),
    ({ paidPaymentId }) => ({ query: { search: paidPaymentId } }),
    ({ paidPaymentId }) => ({ query: { cursor: paidPaymentId } }),
  ),
  'GET /v1/payments/options': own(),
  'POST /v1/payments/create': about(({ applicationId }) => ({
    body: { applicationId, amount: 1, currency: 'USD', purposeDescription: 'Woven basket' },
  })),
  'GET /v1/payments/export': own(
    ({ applicationId }) => ({ query: { applicationId } }),
    ({ paidPaymentId }) => ({ query: { search: paidPaymentId } }),
  ),
  'GET /v1/payments/export/movements': own(),
  'GET /v1/payments/:paymentId': about(
    ({ pendingPaymentId }) => ({ params: { paymentId: pendingPaymentId } }),
    ({ paidPaymentId }) => ({ params: { paymentId: paidPaymentId } }),
  ),
  'POST /v1/payments/capture': about(({ authorizedPaymentId }) => ({
    body: { paymentId: authorizedPaymentId, amount: 1, currency: 'USD' },
  })),
  'POST /v1/payments/void': about(({ authorizedPaymentId }) => ({
    body: { paymentId: authorizedPaymentId },
  })),
  'POST /v1/payments/check': about(({ pendingPaymentId }) => ({ body: { paymentId: pendingPaymentId } })),
  'POST /v1/payments/cancel': about(({ pendingPaymentId }) => ({ body: { paymentId: pendingPaymentId } })),
  'POST /v1/payments/refund': about(({ paidPaymentId }) => ({
    body: { paymentId: paidPaymentId, amount: 5, currency: 'USD' },
  })),
  'GET /v1/till': own(() => ({ query: { search: '12.50' } })),
  'GET /v1/till/payments/:paymentId': about(
    ({ pendingPaymentId }) => ({ params: { paymentId: pendingPaymentId } }),
    ({ paidPaymentId }) => ({ params: { paymentId: paidPaymentId } }),
  ),
  'POST /v1/till/charge': about(({ applicationId }) => ({
    body: { applicationId, amount: 1, currency: 'USD', phone: '0771234567' },
  })),
  'POST /v1/till/payments/:paymentId/cancel': about(({ pendingPaymentId }) => ({
    params: { paymentId: pendingPaymentId },
  })),
  'POST /v1/till/payments/:paymentId/ask': about(({ pendingPaymentId }) => ({
    params: { paymentId: pendingPaymentId },
    body: { phone: '0771234567', attempts: 0 },
  })),
  'GET /v1/stats/dashboard': own(),
  'GET /v1/live': elsewhere('live.test.ts shows that nobody hears of another merchant’s payments'),

  'POST /api/v1/payments': makes(() => ({
    headers: { 'idempotency-key': keyedOrder.key },
    body: keyedOrder.body,
  })),
  'GET /api/v1/payments': own(
    ({ paidPaymentId }) => ({ query: { cursor: paidPaymentId } }),
    () => ({ query: { reference: 'A-1001' } }),
  ),
  'POST /api/v1/payments/:paymentId/capture': about(({ authorizedPaymentId }) => ({
    params: { paymentId: authorizedPaymentId },
    body: {},
  })),
  'POST /api/v1/payments/:paymentId/cancel': about(({ pendingPaymentId }) => ({
    params: { paymentId: pendingPaymentId },
  })),
  'GET /api/v1/customers': own(
    ({ customerId }) => ({ query: { cursor: customerId } }),
    () => ({ query: { email: 'first@customer.test' } }),
    () => ({ query: { phone: '0770000001' } }),
  ),
  'GET /api/v1/customers/:customerId': about(({ customerId }) => ({ params: { customerId } })),
  'GET /api/v1/payments/:paymentId': about(
    ({ pendingPaymentId }) => ({ params: { paymentId: pendingPaymentId } }),
    ({ paidPaymentId }) => ({ params: { paymentId: paidPaymentId } }),
  ),

  'POST /api/v1/webhooks': makes(() => ({ body: receiver })),
  'GET /api/v1/webhooks': own(({ webhookId }) => ({ query: { cursor: webhookId } })),
  'GET /api/v1/webhooks/:webhookId': about(({ webhookId }) => ({ params: { webhookId } })),
  'PATCH /api/v1/webhooks/:webhookId': about(({ webhookId }) => ({
    params: { webhookId },
    body: { status: 'disabled' },
  })),
  'DELETE /api/v1/webhooks/:webhookId': about(({ webhookId }) => ({ params: { webhookId } })),
  'POST /api/v1/webhooks/:webhookId/rotate-secret': about(({ webhookId }) => ({ params: { webhookId } })),
  'GET /api/v1/events': own(({ eventId }) => ({ query: { cursor: eventId } })),
  'GET /api/v1/events/:eventId': about(({ eventId }) => ({ params: { eventId } })),
  'POST /api/v1/events/:eventId/redeliver': about(({ eventId }) => ({ params: { eventId } })),
  'POST /api/v1/refunds': about(({ paidPaymentId }) => ({ body: { payment: paidPaymentId, amount: 2 } })),
  'GET /api/v1/refunds': own(
    ({ paidPaymentId }) => ({ query: { payment: paidPaymentId } }),
    ({ refundId }) => ({ query: { cursor: refundId } }),
  ),
  'GET /api/v1/refunds/:refundId': about(({ refundId }) => ({ params: { refundId } })),
}
