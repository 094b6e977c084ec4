import type { AccountId, MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../platform/ctx.ts'
import type { Tx } from '../../platform/db/database.ts'
import { testAccountIdOf } from '../identity/index.ts'
import type { KeyMode } from './key.ts'

/** The account id under which keys of this mode work. A gateway for tests has one environment. */
export const accountIdFor = (
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
  mode: KeyMode,
): Promise<AccountId> | AccountId =>
  mode === ctx.config.keyMode ? merchantId : testAccountIdOf(ctx, tx, merchantId)
