import { accountNamed } from '../account-name.ts'
import { variablesOfAccount } from '../catalogue.ts'
import type { Connector } from '../connector.ts'
import { type ProvidersCtx, readProviders } from '../live-providers.ts'
import { isSimulated } from '../simulated/index.ts'
import { accountRows } from '../store-accounts.ts'
import { variablesIn } from '../stored-accounts.ts'

/** An account at a provider, as an operator sees it. */
export interface ListedAccount {
  readonly id: string
  readonly name: string
  readonly methods: Connector['methods']
  readonly currencies: Connector['currencies']
  /** The version of the stored settings; null when they are those of the environment. */
  readonly version: number | null
  readonly changedAt: Date | null
  readonly isDisabled: boolean
  /** The stored variables; null for a secret, which is not shown. */
  readonly variables: Readonly<Record<string, string | null>>
}

/** The accounts of the environment and of the database. */
export async function listAccounts(ctx: ProvidersCtx): Promise<ListedAccount[]> {
  const { all, routed } = await readProviders(ctx)
  const rows = new Map((await accountRows(ctx.db.kysely)).map((row) => [row.id, row]))
  const listed = all.filter((each) => !isSimulated(each.id) || routed.includes(each))
  return listed.map(({ id, name = id, methods, currencies }) => {
    const row = rows.get(id)
    const account = accountNamed(id)
    const shown = account ? variablesOfAccount(account).shown : []
    const variables = row ? variablesIn(ctx.keys, row) : null
    return {
      id,
      name,
      methods,
      currencies,
      version: variables && row ? row.version : null,
      changedAt: row?.changedAt ?? null,
      isDisabled: (row?.disabledAt ?? null) !== null,
      variables: Object.fromEntries(
        Object.entries(variables ?? {}).map(([name, value]) => [name, shown.includes(name) ? value : null]),
      ),
    }
  })
}
