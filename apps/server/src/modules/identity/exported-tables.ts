import type { MerchantTable } from '../../platform/db/merchant-rows.ts'

/** Without password, hashes of secrets, and names of files: a document is saved with `documents save`. */
export const identityTables: readonly MerchantTable[] = [
  { table: 'merchants', owner: 'id', ownedBy: 'merchant', primaryKey: ['id'] },
  { table: 'memberships', owner: 'merchant_id', ownedBy: 'merchant', primaryKey: ['person_id'] },
  {
    table: 'invitations',
    owner: 'merchant_id',
    ownedBy: 'merchant',
    primaryKey: ['id'],
    without: ['token_hash'],
  },
  { table: 'ownership_transfers', owner: 'merchant_id', ownedBy: 'merchant', primaryKey: ['merchant_id'] },
  { table: 'persons', owner: 'id', ownedBy: 'person', primaryKey: ['id'], without: ['password_hash'] },
  { table: 'environments', owner: 'merchant_id', ownedBy: 'merchant', primaryKey: ['id'] },
  {
    table: 'documents',
    owner: 'id',
    ownedBy: 'document',
    primaryKey: ['id'],
    without: ['storage_key', 'spare_key', 'key_id', 'sender'],
  },
  { table: 'sessions', owner: 'merchant_id', ownedBy: 'merchant', primaryKey: ['id'] },
  {
    table: 'devices',
    owner: 'person_id',
    ownedBy: 'person',
    primaryKey: ['token_hash'],
    without: ['token_hash'],
  },
  { table: 'passkeys', owner: 'person_id', ownedBy: 'person', primaryKey: ['id'] },
  {
    table: 'totp_factors',
    owner: 'person_id',
    ownedBy: 'person',
    primaryKey: ['person_id'],
    without: ['secret'],
  },
]
