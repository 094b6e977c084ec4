import type { Actor } from '../../../platform/audit/actor.ts'
import { type Action, audit } from '../../../platform/audit/audit.ts'
import type { Environment } from '../../../platform/settings.ts'
import { type AccountName, accountNamed, forTests } from '../account-name.ts'
import { catalogue, type Variables, variablesOfAccount } from '../catalogue.ts'
import { notifyProvidersChanged, type ProvidersCtx } from '../live-providers.ts'
import { providersBuilder, settingsOf } from '../registry.ts'
import { type AccountRow, isAbsent, lockAccount, setDisabled, setSettings } from '../store-accounts.ts'
import { encryptSettings, storedProviders, variablesIn } from '../stored-accounts.ts'

/** set: all variables of an account. rotate: new values of some of them. */
export type AccountChange =
  | { readonly kind: 'set' | 'rotate'; readonly variables: Environment }
  | { readonly kind: 'disable' | 'enable' }

/** The change is not possible; the message is a sentence for the operator. */
export class AccountRefused extends Error {}

const actions: Readonly<Record<AccountChange['kind'], Action>> = {
  set: 'provider.account_set',
  rotate: 'provider.account_rotated',
  disable: 'provider.account_disabled',
  enable: 'provider.account_enabled',
}

/**
 * Changes an account at a provider. Every process uses the change within seconds.
 * @returns the version of its settings, or `unchanged`
 * @throws AccountRefused
 * @throws ConfigError that names the wrong variables
 */
export async function changeAccount(
  ctx: ProvidersCtx,
  operator: Actor,
  { id, change, reason }: { readonly id: string; readonly change: AccountChange; readonly reason: string },
): Promise<number | 'unchanged'> {
  const account = accountNamed(id)
  if (account === null) throw new AccountRefused(noAccountName(id))
  return ctx.db.tx(async (tx) => {
    const row = await lockAccount(tx, id)
    const { kind } = change
    let { version } = row
    let changed: readonly string[] = []
    if (kind === 'set' || kind === 'rotate') {
      const variables = newVariables(ctx, account, row, kind, change.variables)
      changed = Object.keys(change.variables)
      version += 1
      await setSettings(tx, id, version, encryptSettings(ctx.keys, id, version, variables), 'operator')
      // The deployment's routes must still be able to use the account, or no process would take this or a later change.
      providersBuilder(ctx.config, ctx.clock)(await storedProviders(tx, ctx.keys))
    } else {
      if (settingsOf(ctx.config, ctx.clock, id, variablesIn(ctx.keys, row)) === null)
        throw new AccountRefused(`There is no account ${id}: providers list shows them.`)
      const isDisabled = kind === 'disable'
      if (!isDisabled && isAbsent(row))
        throw new AccountRefused(
          `The environment no longer has the variables of ${id}: start the gateway with them, or store the account with providers set.`,
        )
      if ((row.disabledAt !== null) === isDisabled) return 'unchanged'
      await setDisabled(tx, id, isDisabled)
    }
    await audit(ctx, tx, operator, {
      action: actions[kind],
      subject: id,
      accountId: null,
      details: { reason, version, ...(changed.length > 0 && { variables: changed.toSorted() }) },
    })
    await notifyProvidersChanged(tx)
    return version
  })
}

/** @throws AccountRefused, ConfigError */
function newVariables(
  ctx: ProvidersCtx,
  account: AccountName,
  row: AccountRow,
  kind: 'set' | 'rotate',
  given: Environment,
): Variables {
  const { id } = account
  const { names } = variablesOfAccount(account)
  const unknown = Object.keys(given).filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new AccountRefused(
      `${id} has no variable ${unknown.join(', ')}. Its variables are ${names.join(', ')}.`,
    )
  const before = variablesIn(ctx.keys, row)
  if (kind === 'rotate' && before === null)
    throw new AccountRefused(
      `The settings of ${id} are not in the database: use providers set with all of them.`,
    )
  const values = Object.entries(given).flatMap(([name, value]) =>
    value?.trim() ? [[name, value.trim()]] : [],
  )
  if (values.length === 0) throw new AccountRefused('No variable has a value. Nothing has changed.')
  const variables: Variables = { ...(kind === 'rotate' && before), ...Object.fromEntries(values) }
  if (settingsOf(ctx.config, ctx.clock, id, variables) === null)
    throw new AccountRefused(
      account.isForTests
        ? `A gateway in test mode has no account ${id}: its payments use ${account.provider}.`
        : `These variables are no account at ${catalogue[account.provider].label}.`,
    )
  const other = otherName(account, before ?? ctx.config.environmentAccounts.get(id), variables)
  // Charges of the earlier account are looked up and refunded under this name. The other account does not contain them.
  if (other)
    throw new AccountRefused(
      `${id} is the account with ${other.name} ${other.before}: give another account a name of its own, such as ${account.provider}-2.`,
    )
  return variables
}

/** The provider's name of the account that differs, and so makes it another account; null for the same account. */
export function otherName(
  account: AccountName,
  before: Variables | null | undefined,
  after: Variables,
): { readonly name: string; readonly before: string } | null {
  const { naming, prefix } = variablesOfAccount(account)
  for (const name of naming) {
    const earlier = before?.[prefix + name]
    if (earlier !== undefined && earlier !== after[prefix + name]) return { name, before: earlier }
  }
  return null
}

export const noAccountName = (id: string): string =>
  `"${id}" is not the name of an account: it begins with one of ${Object.keys(catalogue).join(', ')}, as paynow, paynow-shop or ${forTests('paynow')}.`
