import { systemActor } from '../../../platform/audit/actor.ts'
import { type Action, audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { type AccountName, accountNamed } from '../account-name.ts'
import type { Variables } from '../catalogue.ts'
import { notifyProvidersChanged, type ProvidersCtx } from '../live-providers.ts'
import { providersBuilder, settingsOf } from '../registry.ts'
import {
  type AccountRow,
  accountRows,
  isOfEnvironment,
  lockAccount,
  setAbsent,
  setSettings,
} from '../store-accounts.ts'
import { encryptSettings, storedProviders, variablesIn } from '../stored-accounts.ts'
import { otherName } from './change-account.ts'

/**
 * The difference between an account of the environment and its row. taken: the row has no settings yet. changed: it has earlier ones.
 * absent: the environment no longer has the account. returned: it has the account again, with the same settings. ignored: an operator has
 * stored other settings.
 */
type Difference = 'taken' | 'changed' | 'absent' | 'returned' | 'ignored'

const actions: Readonly<Record<Exclude<Difference, 'ignored'>, Action>> = {
  taken: 'provider.account_set',
  changed: 'provider.account_set',
  absent: 'provider.account_disabled',
  returned: 'provider.account_enabled',
}

const changedVariables = (before: Variables | null, after: Variables): string[] =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])]
    .filter((name) => before?.[name] !== after[name])
    .toSorted()

/** @throws ConfigError when the row cannot be decrypted */
function differenceOf(ctx: ProvidersCtx, id: string, row: AccountRow | undefined): Difference | null {
  const { environmentAccounts, accountsAreStored } = ctx.config
  const given = environmentAccounts.get(id)
  const stored = row ? variablesIn(ctx.keys, row) : null
  if (row === undefined || stored === null) return given ? 'taken' : null
  if (given === undefined) {
    // Where accounts are stored, their variables may be removed after the first start.
    const isExpected = accountsAreStored || !isOfEnvironment(row) || row.absentSince !== null
    return isExpected ? null : 'absent'
  }
  const isSame = changedVariables(stored, given).length === 0
  if (!isOfEnvironment(row)) return isSame ? null : 'ignored'
  if (!isSame) return 'changed'
  return row.absentSince === null ? null : 'returned'
}

/** The accounts whose rows differ from the environment, in the order in which they are locked. */
export async function environmentDifferences(
  ctx: ProvidersCtx,
): Promise<{ readonly id: string; readonly difference: Difference }[]> {
  const rows = new Map((await accountRows(ctx.db.kysely)).map((row) => [row.id, row]))
  const ids = new Set([...rows.keys(), ...ctx.config.environmentAccounts.keys()])
  return [...ids].toSorted().flatMap((id) => {
    const difference = differenceOf(ctx, id, rows.get(id))
    return difference ? [{ id, difference }] : []
  })
}

/**
 * Writes the accounts of the environment to the database, at the start of a process. Afterwards the rows count, in every process. Settings
 * that no operator has changed follow the environment of the process that started last.
 * @throws ConfigError when the routes cannot use the accounts, or a stored account cannot be decrypted; nothing has changed then
 */
export async function takeEnvironmentAccounts(ctx: ProvidersCtx): Promise<void> {
  const found = await environmentDifferences(ctx)
  const ids = found.flatMap(({ id, difference }) => (difference === 'ignored' ? [] : [id]))
  const reports =
    ids.length === 0
      ? []
      : await ctx.db.tx(async (tx) => {
          const taken: (string | null)[] = []
          for (const id of ids) taken.push(await takeAccount(ctx, tx, id))
          providersBuilder(ctx.config, ctx.clock)(await storedProviders(tx, ctx.keys))
          await notifyProvidersChanged(tx)
          return taken.filter((report) => report !== null)
        })
  for (const report of reports) ctx.log.warn(report)
  const differences = new Map(found.map(({ id, difference }) => [id, difference]))
  const followed = [...ctx.config.environmentAccounts].flatMap(([id, variables]) => {
    const difference = differences.get(id)
    if (difference === 'ignored') ctx.log.warn(`${id}: ${IGNORED}`)
    const origin = settingsOf(ctx.config, ctx.clock, id, variables)?.origin
    if (origin === undefined || difference === 'ignored') return []
    return [`${id} at ${origin}${difference ? ` (${difference})` : ''}`]
  })
  if (followed.length > 0) ctx.log.info(`accounts of the environment: ${followed.join(', ')}`)
}

export const IGNORED =
  'its variables in the environment are ignored, because an operator has stored other settings: remove them, or store them with providers set'

/** @returns a warning; null when there is none */
async function takeAccount(ctx: ProvidersCtx, tx: Tx, id: string): Promise<string | null> {
  const row = await lockAccount(tx, id)
  const difference = differenceOf(ctx, id, row)
  // Another process that starts may have written the row.
  if (difference === null || difference === 'ignored') return null
  const before = variablesIn(ctx.keys, row)
  const after = ctx.config.environmentAccounts.get(id)
  const isNew = difference === 'taken' || difference === 'changed'
  const version = row.version + (isNew ? 1 : 0)
  if (isNew && after)
    await setSettings(tx, id, version, encryptSettings(ctx.keys, id, version, after), 'environment')
  else await setAbsent(tx, id, difference === 'absent')
  await audit(ctx, tx, systemActor('environment'), {
    action: actions[difference],
    subject: id,
    accountId: null,
    details: {
      reason: 'The environment of a process that started',
      version,
      ...(isNew && after && { variables: changedVariables(before, after) }),
    },
  })
  if (difference === 'absent')
    // In development, the simulator's account takes its place.
    return settingsOf(ctx.config, ctx.clock, id, null)
      ? null
      : `${id}: it takes no new payment, because the environment no longer has its variables; its charges are still looked up and refunded`
  const other = after && otherName(accountNamed(id) as AccountName, before, after)
  return other
    ? `${id}: ${other.name} is no longer ${other.before}; the charges of the earlier account are looked up and refunded at the new one`
    : null
}
