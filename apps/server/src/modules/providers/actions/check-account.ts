import { ProviderError } from '../connector.ts'
import { type ProvidersCtx, readProviders } from '../live-providers.ts'
import { setCheckResult } from '../store-accounts.ts'

/**
 * unproved: the provider answers wrong credentials in the same way. none: the provider has no call for it. unclear: it was not answered as
 * expected. no_account: there is no account of this name.
 */
export type CheckResult =
  | { readonly kind: 'proved' | 'unproved' | 'none' | 'no_account' }
  | { readonly kind: 'refused' | 'unclear'; readonly message: string }

/** Checks the credentials of an account by calls that move no money, and records the result. */
export async function checkAccount(ctx: ProvidersCtx, id: string): Promise<CheckResult> {
  const result = await proveAccount(ctx, id)
  if (result.kind !== 'none' && result.kind !== 'no_account')
    await setCheckResult(ctx.db.kysely, id, result.kind)
  return result
}

/** The same without a record. */
export async function proveAccount(ctx: ProvidersCtx, id: string): Promise<CheckResult> {
  const providers = await readProviders(ctx)
  if (!providers.has(id)) return { kind: 'no_account' }
  const connector = providers.byId(id)
  if (connector.checkCredentials === undefined) return { kind: 'none' }
  try {
    return { kind: await connector.checkCredentials() }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { kind: error.kind === 'invalid' ? 'refused' : 'unclear', message: error.message }
  }
}
