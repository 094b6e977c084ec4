import type { MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../platform/ctx.ts'
import type { Tx } from '../../platform/db/database.ts'
import { testEnvironmentOf } from '../identity/index.ts'
import type { KeyMode } from './key.ts'

/** The merchant's book in which keys of this mode work. A gateway for tests has no other. */
export const bookOf = (
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
  mode: KeyMode,
): Promise<MerchantId> | MerchantId =>
  mode === ctx.config.keyMode ? merchantId : testEnvironmentOf(ctx, tx, merchantId)
