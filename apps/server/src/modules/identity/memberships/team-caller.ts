import type { MerchantId, PersonId } from '@muripo/contract/ids'
import type { Member } from '../permissions.ts'

/** The member who changes a team. */
export interface TeamCaller extends Member {
  readonly merchantId: MerchantId
  readonly personId: PersonId
}
