import { currencies } from '@muripo/contract/money'
import type { GatewayConfig } from '../../gateway-config.ts'
import {
  environmentDifferences,
  IGNORED,
  isSimulated,
  type Providers,
  proveAccount,
  readProviders,
} from '../../modules/providers/index.ts'
import type { OperatorContext } from '../command.ts'
import { openCtx } from '../context.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** Checks the credentials of each account at a provider by calls that move no money. */
export async function checkProviders(config: GatewayConfig): Promise<Finding[]> {
  const ctx = await openCtx(config)
  try {
    const providers = await readProviders(ctx)
    const accounts = providers.all.filter(({ id }) => !isSimulated(id))
    const ofTests = testKeys(providers, config)
    if (accounts.length === 0)
      return [failure('providers', 'there is no account at a provider: no payer can pay'), ...ofTests]
    const ignored = (await environmentDifferences(ctx)).flatMap(({ id, difference }) =>
      difference === 'ignored' ? [warning(`provider ${id}`, IGNORED)] : [],
    )
    return [...(await Promise.all(accounts.map(({ id }) => checkProvider(ctx, id)))), ...ignored, ...ofTests]
  } finally {
    await ctx.db.close()
  }
}

/** The provider of test keys in a live gateway. */
function testKeys({ routed, offeredIn }: Providers, { keyMode }: GatewayConfig): Finding[] {
  if (keyMode === 'test') return []
  if (routed.some(({ id }) => isSimulated(id)))
    return [ok('test keys', 'are served by the built-in simulator, which moves no money')]
  const isOffered = currencies.some((currency) => offeredIn('test').methodsIn(currency).length > 0)
  return isOffered
    ? [ok('test keys', 'have a payment method')]
    : [
        warning(
          'test keys',
          'have no payment method: their payments are refused, unless TEST_SIMULATOR is on',
        ),
      ]
}

async function checkProvider(ctx: OperatorContext['ctx'], id: string): Promise<Finding> {
  const check = `provider ${id}`
  const result = await proveAccount(ctx, id)
  switch (result.kind) {
    case 'proved':
      return ok(check, 'accepts the credentials, and refuses wrong ones')
    case 'unproved':
      return warning(check, 'could not be proved: it answers wrong credentials in the same way')
    case 'refused':
      return failure(check, `refuses the credentials: ${result.message}`)
    case 'unclear':
      return warning(check, `did not answer as expected: ${result.message}`)
    default:
      return warning(check, 'has no call that checks the credentials: they could not be proved')
  }
}
