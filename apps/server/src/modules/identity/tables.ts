import type { AccountType, DocumentType, Locale, MerchantStatus } from '@muripo/contract/enums'
import { FileId, MerchantId, PasskeyId, SessionId } from '@muripo/contract/ids'
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
    passwordHash: text('password_hash'),
    timeZone: text('time_zone'),
    /** The language that the merchant chose; null for that of the browser. */
    locale: text<Locale | null>('locale'),
    /** True once the owner has entered a mailed code. */
    isProven: isSet('proven_at', 'timestamptz'),
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

export const sessions = table(
  'sessions',
  {
    merchantId: id('merchant_id', MerchantId),
    sessionId: id('id', SessionId),
    lastUsedAt: time('last_used_at'),
    expiresAt: time('expires_at'),
    endedAt: time<Date | null>('ended_at'),
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
  { merchantId: id('merchant_id', MerchantId), signCount: bigint('sign_count') },
)
