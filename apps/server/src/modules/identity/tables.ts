import type { DocumentType } from '@muripo/contract/document-types'
import type { AccountType, Locale } from '@muripo/contract/enums'
import {
  ApplicationId,
  FileId,
  InvitationId,
  MerchantId,
  PasskeyId,
  PersonId,
  SessionId,
} from '@muripo/contract/ids'
import type { MerchantStatus } from '@muripo/contract/merchant-statuses'
import type { Role } from '@muripo/contract/permissions'
import type { GrantedRole } from '@muripo/contract/team'
import {
  bigint,
  bool,
  bytes,
  type Field,
  id,
  isSet,
  table,
  text,
  texts,
  time,
} from '../../platform/db/table.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

/** The last change of a merchant's status; null when there was none. */
const statusChange: Field<{ readonly at: Date; readonly by: string; readonly reason: string } | null> = {
  columns: { status_changed_at: 'timestamptz', status_changed_by: 'text', status_reason: 'text' },
  read: (row) =>
    row.status_changed_at && {
      at: row.status_changed_at,
      by: row.status_changed_by,
      reason: row.status_reason,
    },
  write: (value) => [value?.at, value?.by, value?.reason],
}

export const merchants = table(
  'merchants',
  {
    id: id('id', MerchantId),
    fullname: text('fullname'),
    email: text('email'),
    phone: text('phone'),
    timeZone: text('time_zone'),
    /** The language of notices to the merchant: that of the owner. */
    locale: text<Locale | null>('locale'),
  },
  {
    accountType: text<AccountType>('account_type'),
    documentType: text<DocumentType>('document_type'),
    documentId: id('document_id', FileId),
    createdAt: time('created_at'),
    status: text<MerchantStatus>('status'),
    statusChange,
    approvedAt: time<Date | null>('approved_at'),
    reportingCurrency: text('reporting_currency'),
  },
)

export const persons = table(
  'persons',
  {
    personId: id('id', PersonId),
    fullname: text('fullname'),
    email: text('email'),
    passwordHash: text('password_hash'),
    /** The language that the person chose; null for that of the browser. */
    locale: text<Locale | null>('locale'),
    /** True once the person has entered a mailed code. */
    isProven: isSet('proven_at', 'timestamptz'),
  },
  { createdAt: time('created_at') },
)

/** The applications to which a membership is limited; null when it is not limited. */
const limitedTo: Field<readonly ApplicationId[] | null> = {
  columns: { applications: 'uuid[]' },
  read: ({ applications }) => applications?.map((each: string) => idFrom(ApplicationId, each)) ?? null,
  write: (value) => [value?.map(uuidOf) ?? null],
}

export const memberships = table('memberships', {
  merchantId: id('merchant_id', MerchantId),
  personId: id('person_id', PersonId),
  role: text<Role>('role'),
  applications: limitedTo,
  createdAt: time('created_at'),
  lastSeenAt: time<Date | null>('last_seen_at'),
})

export const invitations = table(
  'invitations',
  {
    merchantId: id('merchant_id', MerchantId),
    id: id('id', InvitationId),
    tokenHash: bytes('token_hash'),
    email: text('email'),
    role: text<GrantedRole>('role'),
    applications: limitedTo,
    invitedBy: id('invited_by', PersonId),
    expiresAt: time('expires_at'),
  },
  { createdAt: time('created_at') },
)

export const sessions = table(
  'sessions',
  {
    merchantId: id('merchant_id', MerchantId),
    sessionId: id('id', SessionId),
    personId: id('person_id', PersonId),
    lastUsedAt: time('last_used_at'),
    expiresAt: time('expires_at'),
    endedAt: time<Date | null>('ended_at'),
    /** The last time that the person entered a password or a code. */
    authenticatedAt: time<Date | null>('authenticated_at'),
  },
  {
    createdAt: time('created_at'),
    browser: text<string | null>('browser'),
    network: text<string | null>('network'),
  },
)

export const passkeys = table(
  'passkeys',
  {
    id: id('id', PasskeyId),
    credentialId: bytes('credential_id'),
    /** As the authenticator gave it, in COSE. */
    publicKey: bytes('public_key'),
    transports: texts('transports'),
    synced: bool('synced'),
    name: text('name'),
    createdAt: time('created_at'),
    lastUsedAt: time<Date | null>('last_used_at'),
  },
  { personId: id('person_id', PersonId), signCount: bigint('sign_count') },
)
