import { accountNamed } from '../account-name.ts'
import { variablesOfAccount } from '../catalogue.ts'
import type { Connector } from '../connector.ts'
import { type ProvidersCtx, readProviders } from '../live-providers.ts'
import { settingsOf } from '../registry.ts'
import { isSimulated } from '../simulated/index.ts'
import { type AccountRow, accountRows, isAbsent, isOfEnvironment } from '../store-accounts.ts'
import { variablesIn } from '../stored-accounts.ts'

/** An account at a provider, as an operator sees it. */
export interface ListedAccount {
  readonly id: string
  readonly name: string
  readonly methods: Connector['methods']
  readonly currencies: Connector['currencies']
  /** Whether its payments are made with live keys or with test keys. */
  readonly environment: 'live' | 'test'
  /** The setter of the settings. simulator: nobody has. */
  readonly origin: 'operator' | 'environment' | 'simulator'
  /** The version of the stored settings; null when none are stored. */
  readonly version: number | null
  readonly changedAt: Date | null
  /** disabled: by an operator. absent: the environment no longer has it. Both take no new payment. */
  readonly state: 'enabled' | 'disabled' | 'absent'
  /** The last check of the credentials. */
  readonly check: { readonly at: Date; readonly result: string; readonly isOfEarlierSettings: boolean } | null
  /** The stored variables; null for a secret, which is not shown. */
  readonly variables: Readonly<Record<string, string | null>>
}

/** All accounts: of the environment, of operators, and the simulator's. */
export async function listAccounts(ctx: ProvidersCtx): Promise<ListedAccount[]> {
  const { all, routed } = await readProviders(ctx)
  const { keyMode, environmentAccounts } = ctx.config
  const rows = new Map((await accountRows(ctx.db.kysely)).map((row) => [row.id, row]))
  const listed = all.filter((each) => !isSimulated(each.id) || routed.includes(each))
  return listed.map(({ id, name = id, methods, currencies }) => {
    const found = rows.get(id)
    const isReplaced = found && isAbsent(found) && settingsOf(ctx.config, ctx.clock, id, null) !== null
    const row = isReplaced ? undefined : found
    const account = accountNamed(id)
    const shown = account ? variablesOfAccount(account).shown : []
    const variables = row ? variablesIn(ctx.keys, row) : null
    return {
      id,
      name,
      methods,
      currencies,
      environment: keyMode === 'test' || isSimulated(id) || account?.isForTests ? 'test' : 'live',
      origin: row && variables ? originOf(row) : environmentAccounts.has(id) ? 'environment' : 'simulator',
      version: variables && row ? row.version : null,
      changedAt: row?.changedAt ?? null,
      state: row === undefined ? 'enabled' : stateOf(row),
      check: row ? checkOf(row) : null,
      variables: Object.fromEntries(
        Object.entries(variables ?? {}).map(([name, value]) => [name, shown.includes(name) ? value : null]),
      ),
    }
  })
}

const originOf = (row: AccountRow) => (isOfEnvironment(row) ? 'environment' : 'operator')

function stateOf(row: AccountRow): ListedAccount['state'] {
  if (row.disabledAt !== null) return 'disabled'
  return isAbsent(row) ? 'absent' : 'enabled'
}

const checkOf = ({ checkedAt: at, checkResult: result, changedAt }: AccountRow): ListedAccount['check'] =>
  at === null || result === null ? null : { at, result, isOfEarlierSettings: at < changedAt }
