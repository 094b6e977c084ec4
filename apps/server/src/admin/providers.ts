import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { currencies } from '@muripo/contract/money'
import { paymentMethods } from '@muripo/contract/payments'
import {
  type AccountChange,
  AccountRefused,
  changeAccount,
  checkAccount,
  DEFAULT_ROUTE,
  isSimulated,
  type ListedAccount,
  listAccounts,
  routesOf,
} from '../modules/providers/index.ts'
import { ConfigError, type Environment } from '../platform/settings.ts'
import { reasonIn } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { decideOrPropose } from './decide.ts'
import { merchantIn } from './find.ts'
import { ageText, block, oneLine } from './print.ts'

const parameters = ['ACCOUNT'] as const
const options = { reason: 'TEXT' } as const
const optional = { from: 'FILE' } as const

export const providerCommands: readonly Command[] = [
  {
    words: 'providers list',
    does: 'list every account at a provider: its origin, state and last check, without secrets',
    async run({ ctx }) {
      const accounts = await listAccounts(ctx)
      if (accounts.length === 0) return 'There are no accounts: providers set adds one.'
      return accounts.map((account) => listed(account, ctx.clock.now())).join('\n\n')
    },
  },
  {
    words: 'providers show',
    parameters,
    does: 'show one account with its variables; secrets are masked',
    async run({ ctx }, { values: [id = ''] }) {
      const account = (await listAccounts(ctx)).find((each) => each.id === id)
      if (!account) throw noAccount(id)
      const variables = Object.entries(account.variables).map(
        ([name, value]) => [name, value ?? '********'] as const,
      )
      return block(account.id, [...facts(account, ctx.clock.now()), ...variables])
    },
  },
  {
    words: 'providers set',
    parameters,
    options,
    optional,
    does: 'store an account: all its variables as lines NAME=value, from the file or from standard input',
    run: (context, args) => setOrRotate(context, args, 'set'),
  },
  {
    words: 'providers rotate',
    parameters,
    options,
    optional,
    does: 'store new values of some variables of an account, given as for set; the others keep their values',
    run: (context, args) => setOrRotate(context, args, 'rotate'),
  },
  {
    words: 'providers check',
    parameters,
    does: 'check the credentials by a call that moves no money, and that the same call with wrong credentials is refused',
    run: check,
  },
  {
    words: 'providers routes',
    parameters: ['MERCHANT'],
    does: 'show the routes of a merchant; other methods have the routes of the deployment',
    run: listRoutes,
  },
  {
    words: 'providers route',
    parameters: ['MERCHANT', 'METHOD', 'ACCOUNTS'],
    options,
    optional: { currency: 'CODE' },
    does: `set the accounts that serve the payments of a merchant by a method, in order, as mastercard,paynow; or none, or ${DEFAULT_ROUTE}`,
    run: route,
  },
  {
    words: 'providers disable',
    parameters,
    options,
    does: 'send no new charge to the account; its earlier charges are still looked up and refunded',
    run: (context, args) => enableOrDisable(context, args, 'disable'),
  },
  {
    words: 'providers enable',
    parameters,
    options,
    does: 'send new charges to a disabled account again',
    run: (context, args) => enableOrDisable(context, args, 'enable'),
  },
]

const facts = (account: ListedAccount, now: Date): [string, string][] => [
  ['Name', account.name],
  ['Payments', account.environment],
  ['Methods', `${account.methods.join(', ')} in ${account.currencies.join(', ')}`],
  ['Settings', settingsText(account)],
  ['Status', states[account.state]],
  ['Changed', account.changedAt === null ? '' : `${ageText(account.changedAt, now)} ago`],
  ['Checked', checkText(account, now)],
]

const states: Readonly<Record<ListedAccount['state'], string>> = {
  enabled: 'enabled',
  disabled: 'disabled by an operator: it takes no new payment',
  absent: 'not in the environment any more: it takes no new payment',
}

const origins: Readonly<Record<ListedAccount['origin'], string>> = {
  operator: 'of the database',
  environment: 'of the environment',
  simulator: "the simulator's",
}

function settingsText({ id, origin, version }: ListedAccount): string {
  if (isSimulated(id)) return 'built in: it serves test keys until they have an account'
  return version === null ? origins[origin] : `${origins[origin]}, version ${version}`
}

const results: Readonly<Record<string, string>> = {
  proved: 'the provider accepts the credentials',
  unproved: 'the credentials could not be proved',
  refused: 'the provider refuses the credentials',
  unclear: 'the provider did not answer as expected',
}

function checkText({ check, version }: ListedAccount, now: Date): string {
  if (check === null) return version === null ? '' : 'never'
  const time = check.isOfEarlierSettings ? 'before the change' : `${ageText(check.at, now)} ago`
  return `${time}: ${results[check.result]}`
}

const listed = (account: ListedAccount, now: Date): string => block(account.id, facts(account, now))

const noAccount = (id: string): Refused =>
  new Refused(`There is no account ${oneLine(id)}: providers list shows them.`)

async function setOrRotate(
  context: OperatorContext,
  args: CommandArguments,
  kind: 'set' | 'rotate',
): Promise<string> {
  const variables = variablesIn(await inputOf(context, args))
  const [id, version] = await change(context, args, { kind, variables })
  return `${id} has version ${version} of its settings. Every process uses it within seconds. To check it: providers check ${id}`
}

async function enableOrDisable(
  context: OperatorContext,
  args: CommandArguments,
  kind: 'disable' | 'enable',
): Promise<string> {
  const account = oneLine(args.values[0] ?? '')
  const reason = reasonIn(args.options)
  const payload = { account, reason }
  return refusing(() =>
    decideOrPropose(context, `provider.${kind}`, { payload, reason }, (version) =>
      version === 'unchanged'
        ? `${account} was ${kind}d already. Nothing has changed.`
        : `${account} is ${kind}d. Every process uses the change within seconds.`,
    ),
  )
}

async function change(
  { ctx, operator }: OperatorContext,
  args: CommandArguments,
  accountChange: AccountChange,
): Promise<[id: string, version: number | 'unchanged']> {
  const [id = ''] = args.values
  const order = { id: oneLine(id), change: accountChange, reason: reasonIn(args.options) }
  return [id, await refusing(() => changeAccount(ctx, operator, order))]
}

/** The refusals of the action as those of a command. */
async function refusing<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof AccountRefused) throw new Refused(error.message)
    if (error instanceof ConfigError) throw new Refused(`Nothing has changed: ${error.message}.`)
    throw error
  }
}

/** The settings never are arguments: other accounts of the machine can read those, and the shell keeps them. */
async function inputOf(
  { directory, input }: OperatorContext,
  { options: { from } }: CommandArguments,
): Promise<string> {
  if (from !== undefined) {
    return readFile(resolve(directory, from), 'utf8').catch(() => {
      throw new Refused(`${oneLine(from)} cannot be read.`)
    })
  }
  if (input === null) throw new UsageError('Give the variables on standard input, or with --from FILE.')
  return input()
}

/** Lines NAME=value. The value ends with its line, whatever signs it contains; quotes around it are left out. */
function variablesIn(text: string): Environment {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const assignments = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    assignments.map((line, index) => {
      const [, name, value] = /^(?:export )?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
      // The line may contain a secret.
      if (name === undefined || value === undefined)
        throw new UsageError(`Line ${index + 1} of the variables is not NAME=value.`)
      return [name, value.trim().replace(/^(["'])(.*)\1$/, '$2')]
    }),
  )
}

async function check({ ctx }: OperatorContext, { values: [id = ''] }: CommandArguments): Promise<string> {
  const result = await checkAccount(ctx, id)
  switch (result.kind) {
    case 'proved':
      return `The provider accepts the credentials of ${id}, and refuses wrong ones.`
    case 'unproved':
      throw new Refused(
        `The credentials of ${id} could not be proved: the provider answers wrong ones in the same way. Check the address of the account.`,
      )
    case 'none':
      return `The provider of ${id} has no call that checks credentials and moves no money: the first payment shows whether they are right.`
    case 'no_account':
      throw noAccount(id)
    case 'refused':
      throw new Refused(`The provider refuses the credentials of ${id}: ${oneLine(result.message)}.`)
    case 'unclear':
      throw new Refused(`The credentials of ${id} could not be checked: ${oneLine(result.message)}.`)
  }
}

async function listRoutes(context: OperatorContext, args: CommandArguments): Promise<string> {
  const { id } = await merchantIn(context, args)
  const routes = [...(await routesOf(context.ctx, id))]
  if (routes.length === 0) return `${id} has no routes of its own.`
  return block(
    id,
    routes.map(([key, accounts]) => [key.replace('_', ' in '), accounts.join(', ') || 'none'] as const),
  )
}

async function route(context: OperatorContext, args: CommandArguments): Promise<string> {
  const [, methodText = '', accounts = ''] = args.values
  const reason = reasonIn(args.options)
  const method = paymentMethods.find((each) => each === methodText)
  if (!method) throw new UsageError(`METHOD is one of ${paymentMethods.join(', ')}.`)
  const currency = currencies.find((code) => code === args.options.currency)
  if (!currency && args.options.currency !== undefined)
    throw new UsageError(`--currency is one of ${currencies.join(', ')}.`)
  const { id: merchantId } = await merchantIn(context, args)
  const order = { merchantId, method, route: oneLine(accounts), reason, ...(currency && { currency }) }
  return decideOrPropose(context, 'provider.route', { payload: order, reason }, (refusal) => {
    if (refusal !== null) throw new Refused(`The route names ${refusal}. Nothing has changed.`)
    return `${method} payments${currency ? ` in ${currency}` : ''} of ${merchantId} have the route ${order.route}. Every process uses it within seconds.`
  })
}
