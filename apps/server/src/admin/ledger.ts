import { MerchantId, PaymentId } from '@muripo/contract/ids'
import { type AdjustableCode, adjustableInWords, isAdjustable } from '@muripo/contract/ledger'
import { Currency, toDecimal } from '@muripo/contract/money'
import { testAccountIdOf } from '../modules/identity/index.ts'
import { type TrialBalance, trialBalance } from '../modules/ledger/index.ts'
import { storedMoney } from '../modules/operators/index.ts'
import { misbookedPayments } from '../modules/payments/index.ts'
import { optionalId, reasonIn, typedAmount, typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { decideOrPropose } from './decide.ts'
import { aligned, amountText, oneLine } from './print.ts'

export const ledgerCommands: readonly Command[] = [
  {
    words: 'ledger adjust',
    options: {
      merchant: 'MERCHANT',
      debit: 'ACCOUNT',
      credit: 'ACCOUNT',
      amount: 'AMOUNT',
      currency: 'CURRENCY',
      reason: 'TEXT',
    },
    optional: { payment: 'PAYMENT', environment: 'test' },
    does: 'book a correction: an amount from one account of a merchant (credit) to another (debit), with a reason; earlier transfers stay',
    run: adjustLedger,
  },
  {
    words: 'ledger',
    optional: { merchant: 'MERCHANT', environment: 'test' },
    does: 'show the balances of the accounts of all merchants, or of one, and whether the ledger is in balance; with --environment those of test payments',
    async run({ ctxs }, { options }) {
      const merchantId = optionalId(MerchantId, 'a merchant', options.merchant)
      const scope = { merchantId, tests: isTestEnvironment(options.environment) }
      const { accounts, discrepancies } = await trialBalance(ctxs.each, scope)
      const misbooked = await Promise.all(ctxs.each.map((ctx) => misbookedPayments(ctx, scope)))
      const all = [...discrepancies, ...misbooked.flat().map((id) => `The ledger and ${id} disagree.`)]
      const table = accounts.length === 0 ? 'Nothing is booked.' : tablesOf(accounts)
      if (all.length > 0) throw new Refused([table, '', 'NOT IN BALANCE', ...all].join('\n'))
      return `${table}\n\nIn balance: each account, payment, refund, reversal and adjustment agrees with its transfers. Only the statement of a provider proves that clearing.PROVIDER is the amount that the provider has.`
    },
  },
]

function tablesOf(accounts: TrialBalance['accounts']): string {
  return [...Map.groupBy(accounts, ({ currency }) => currency)]
    .map(([currency, of]) => {
      const text = (minor: bigint) => amountText(minor, currency)
      const line = (name: string, debit: bigint, credit: bigint) => [
        name,
        text(debit),
        text(credit),
        text(debit - credit),
      ]
      const sum = (side: 'debitMinor' | 'creditMinor') => of.reduce((total, each) => total + each[side], 0n)
      return aligned([
        [currency, 'debits', 'credits', 'balance'],
        ...of.map(({ code, debitMinor, creditMinor }) => line(code, debitMinor, creditMinor)),
        line('all', sum('debitMinor'), sum('creditMinor')),
      ])
    })
    .join('\n\n')
}

/** Without the option, the environment of the gateway's own mode. */
function isTestEnvironment(environment: string | undefined): boolean {
  if (environment !== undefined && environment !== 'test')
    throw new UsageError('The only other environment is that of test payments: --environment test.')
  return environment === 'test'
}

function accountIn(text = ''): AdjustableCode {
  if (isAdjustable(text)) return text
  throw new UsageError(`"${oneLine(text)}" is not an account to adjust: ${adjustableInWords}.`)
}

async function adjustLedger(context: OperatorContext, { options }: CommandArguments): Promise<string> {
  const merchant = typedId(MerchantId, 'a merchant', options.merchant)
  const ctx = context.ctxs.of(merchant)
  const currency = Currency.safeParse(options.currency)
  if (!currency.success) throw new UsageError(`"${oneLine(options.currency ?? '')}" is not a currency.`)
  const amount = typedAmount(options.amount ?? '', currency.data)
  if (amount.minor === 0n) throw new UsageError('The amount of an adjustment is above 0.')
  const [debit, credit] = [accountIn(options.debit), accountIn(options.credit)]
  if (debit === credit)
    throw new UsageError('Name two accounts: an adjustment moves money from one to the other.')
  const reason = reasonIn(options)
  const paymentId = optionalId(PaymentId, 'a payment', options.payment)
  const accountId = isTestEnvironment(options.environment)
    ? await ctx.db.tx((tx) => testAccountIdOf(ctx, tx, merchant))
    : merchant
  const payload = {
    merchantId: merchant,
    accountId,
    debit,
    credit,
    amount: storedMoney(amount),
    paymentId,
    reason,
  }
  return decideOrPropose(context, 'ledger.adjust', { payload, reason }, (booked) => {
    if (typeof booked !== 'string') throw new Refused(`${booked.refused}. Nothing has changed.`)
    return `${booked}: ${amount.currency} ${toDecimal(amount)} to ${debit}, out of ${credit}.`
  })
}
