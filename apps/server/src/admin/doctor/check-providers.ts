import type { GatewayConfig } from '../../gateway-config.ts'
import { checkAccount, readProviders } from '../../modules/providers/index.ts'
import type { OperatorContext } from '../command.ts'
import { openCtx } from '../context.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** Checks the credentials of each account at a provider by a call that moves no money. */
export async function checkProviders(config: GatewayConfig): Promise<Finding[]> {
  const ctx = await openCtx(config)
  try {
    const { all } = await readProviders(ctx)
    if (all.length === 0) return [failure('providers', 'there is no account at a provider: no payer can pay')]
    return await Promise.all(all.map(({ id }) => checkProvider(ctx, id)))
  } finally {
    await ctx.db.close()
  }
}

async function checkProvider(ctx: OperatorContext['ctx'], id: string): Promise<Finding> {
  const check = `provider ${id}`
  const result = await checkAccount(ctx, id)
  switch (result.kind) {
    case 'accepted':
      return ok(check, 'accepts the credentials')
    case 'refused':
      return failure(check, `refuses the credentials: ${result.message}`)
    case 'unclear':
      return warning(check, `did not answer as expected: ${result.message}`)
    default:
      return ok(check, 'has no call that checks the credentials')
  }
}
