import { z } from 'zod'
import { consolePermissions, operatorRoles } from './console-permissions.ts'
import { ReversedCharge, Reviews } from './console-reviews.ts'
import { PaymentDetails } from './dashboard-payments.ts'
import { allDocumentTypes } from './document-types.ts'
import { accountTypes, paymentMethods, paymentStatuses } from './enums.ts'
import { filterText } from './filters.ts'
import { AccountId, ApplicationId, FileId, MerchantId, OperatorId, PaymentId } from './ids.ts'
import { merchantStatuses } from './merchant-statuses.ts'
import { Currency } from './money.ts'
import { Proposal } from './proposals.ts'
import { route } from './route.ts'
import { bounded, PathId, personText, Timestamp } from './text.ts'

/** The operator's console, /console/api. Without a session of an operator every call is answered 404, like an unknown address. */

/** The length of a page. */
export const CONSOLE_PAGE = 50
/** Personal data stays visible for this time after its reveal. */
export const REVEAL_MINUTES = 15

export const Me = z.object({
  id: OperatorId,
  email: z.string(),
  name: z.string(),
  role: z.enum(operatorRoles),
  permissions: z.array(z.enum(consolePermissions)),
  fourEyes: z.enum(['on', 'off', 'one_operator']).meta({
    description: 'Whether decisions need two operators; off is the setting, one_operator has nobody else',
  }),
  /** The time at which the session ends, whatever happens. */
  sessionEndsAt: Timestamp,
})
export type Me = z.infer<typeof Me>

export const getMe = route({
  method: 'GET',
  path: '/me',
  access: 'operator',
  summary: 'The operator of the session, with role and permissions',
  reply: { 200: Me },
  errors: [],
})

export const waitingKinds = ['merchants', 'attempts', 'anomalies', 'refunds', 'proposals'] as const

export const Today = z.object({
  waiting: z.array(
    z.object({
      kind: z.enum(waitingKinds),
      /** At most 100: the lists have them all. */
      count: z.int(),
      oldestAt: Timestamp.nullable(),
    }),
  ),
  unwell: z.array(z.object({ id: z.string(), name: z.string(), status: z.enum(['degraded', 'down']) })),
  volume: z.array(z.object({ currency: Currency, payments: z.int(), amount: z.number() })),
})
export type Today = z.infer<typeof Today>

export const getToday = route({
  method: 'GET',
  path: '/today',
  access: 'console.today',
  summary: 'What waits for a person, what is unwell, and the volume of the day so far, of live money',
  reply: { 200: Today },
  errors: ['rate_limited'],
})

export const ConsoleMerchant = z.object({
  id: MerchantId,
  name: z.string(),
  email: z.string().meta({ description: 'Masked until it is revealed' }),
  phone: z.string().meta({ description: 'Masked until it is revealed' }),
  status: z.enum(merchantStatuses),
  createdAt: Timestamp,
  waitsFor: z.enum(['approval', 'applications']).nullable(),
})
export type ConsoleMerchant = z.infer<typeof ConsoleMerchant>

export const listConsoleMerchants = route({
  method: 'GET',
  path: '/merchants',
  access: 'console.merchants.read',
  summary: 'The merchants of a status, those that wait for a decision, or one by its id, email or phone',
  query: z.strictObject({
    status: z.enum([...merchantStatuses, 'waiting']).optional(),
    search: filterText(254).optional(),
    cursor: MerchantId.optional(),
  }),
  reply: { 200: z.object({ merchants: z.array(ConsoleMerchant), nextCursor: MerchantId.nullable() }) },
  errors: ['validation_failed', 'rate_limited'],
})

const ConsoleKey = z.object({
  mode: z.enum(['test', 'live']),
  /** The name of a key with permissions of its own; null for the key of the application, which key.revoke revokes. */
  name: z.string().nullable(),
  ending: z.string().nullable().meta({ description: 'Its last four characters; null for a named key' }),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
})

export const MerchantDetails = ConsoleMerchant.extend({
  accountType: z.enum(accountTypes),
  document: z.object({ id: FileId, type: z.enum(allDocumentTypes) }),
  statusChange: z.object({ at: Timestamp, by: z.string(), reason: z.string() }).nullable(),
  applications: z.array(
    z.object({
      id: ApplicationId,
      name: z.string(),
      category: z.string(),
      status: z.string(),
      stopReason: z.string().nullable(),
      /** The name that payers of live money see; null: that of the merchant. */
      shownName: z.string().nullable(),
      colour: z.string().nullable(),
      logo: z.string().nullable().meta({ description: 'The path of the logo' }),
      banking: z.enum(['none', 'waiting', 'approved', 'refused']),
      keys: z.array(ConsoleKey).meta({ description: 'The keys that work, the newest first' }),
      waits: z.boolean(),
    }),
  ),
  ledger: z.object({
    accounts: z.array(z.string()).meta({ description: 'The accounts that ledger.adjust takes' }),
    hasTests: z.boolean().meta({ description: 'Whether test payments have a ledger of their own' }),
  }),
  volume: z.array(z.object({ currency: Currency, payments: z.int(), amount: z.number() })),
  /** To be sent with an approval: it approves what this answer shows, and nothing else. */
  seen: z.string(),
  /** Words in the names that an approval must name. */
  reservedWords: z.array(z.string()),
  revealedUntil: Timestamp.nullable(),
  proposals: z.array(Proposal).meta({ description: 'The open proposals about this merchant' }),
})
export type MerchantDetails = z.infer<typeof MerchantDetails>

const MerchantParams = z.object({ merchantId: PathId })

export const getConsoleMerchant = route({
  method: 'GET',
  path: '/merchants/:merchantId',
  access: 'console.merchants.read',
  summary: 'One merchant with its document, applications, volume and open proposals',
  params: MerchantParams,
  reply: { 200: MerchantDetails },
  errors: ['rate_limited'],
})

export const readMerchantDocument = route({
  method: 'GET',
  path: '/merchants/:merchantId/document',
  access: 'console.merchants.read',
  summary: 'The identification document, within 15 minutes of a reveal of the merchant by the same operator',
  params: MerchantParams,
  reply: { 200: z.string() },
  file: 'application/pdf',
  errors: ['rate_limited'],
})

export const ConsolePayment = z.object({
  /** The environment of the merchant: the id in the address of the payment. */
  merchantId: AccountId,
  shopName: z.string(),
  id: PaymentId,
  amount: z.number(),
  currency: Currency,
  status: z.enum(paymentStatuses),
  method: z.enum(paymentMethods).nullable(),
  reference: z.string().nullable(),
  providerReference: z.string().nullable(),
  createdAt: Timestamp,
})
export type ConsolePayment = z.infer<typeof ConsolePayment>

export const findConsolePayments = route({
  method: 'GET',
  path: '/payments',
  access: 'console.payments.read',
  summary: "Payments of any merchant, by payment id, the merchant's reference or the provider's reference",
  query: z.strictObject({ search: bounded(200) }),
  reply: { 200: z.object({ payments: z.array(ConsolePayment) }) },
  errors: ['validation_failed', 'rate_limited'],
})

export const ConsolePaymentDetails = z.object({
  merchantId: AccountId,
  merchantName: z.string(),
  /** Without the address of the payer's page, which shows and accepts what the payer may see and do. */
  payment: PaymentDetails.omit({ paymentUrl: true }),
  /** The reviews of the payment, which only an operator can decide, and all its refunds. */
  reviews: Reviews,
  reversedCharges: z.array(ReversedCharge),
  revealedUntil: Timestamp.nullable(),
  proposals: z.array(Proposal).meta({ description: 'The open proposals about this payment' }),
})
export type ConsolePaymentDetails = z.infer<typeof ConsolePaymentDetails>

export const getConsolePayment = route({
  method: 'GET',
  path: '/payments/:merchantId/:paymentId',
  access: 'console.payments.read',
  summary: 'One payment with its timeline; the payer is masked until it is revealed',
  params: z.object({ merchantId: PathId, paymentId: PathId }),
  reply: { 200: ConsolePaymentDetails },
  errors: ['rate_limited'],
})

export const getReviews = route({
  method: 'GET',
  path: '/reviews',
  access: 'console.reviews.read',
  summary:
    'Attempts that are held or unknown, contradictions of providers, and refunds to send or to clarify; the oldest first, at most 50 of each',
  reply: { 200: Reviews },
  errors: ['rate_limited'],
})

export const revealPersonalData = route({
  method: 'POST',
  path: '/reveal',
  access: 'console.reveal',
  summary:
    'Show the personal data of a merchant or a payment to this operator for 15 minutes; audited with the reason',
  body: z.strictObject({ subject: PathId, reason: personText(300, 'Please give a reason') }),
  reply: { 201: z.object({ subject: z.string(), until: Timestamp }) },
  errors: ['validation_failed', 'rate_limited'],
})
