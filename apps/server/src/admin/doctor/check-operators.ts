import type { GatewayConfig } from '../../gateway-config.ts'
import { fourEyesOf, fourEyesWarning } from '../../modules/operators/index.ts'
import { openCtx } from '../context.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Whether two operators make the decisions that move money or trust. */
export async function checkOperators(config: GatewayConfig): Promise<Finding> {
  const ctx = await openCtx(config)
  try {
    const alone = fourEyesWarning(await fourEyesOf(ctx))
    return alone === null ? ok('operators', 'two of them make each decision') : warning('operators', alone)
  } finally {
    await ctx.db.close()
  }
}
