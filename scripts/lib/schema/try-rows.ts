import type pg from 'pg'

const account = '00000000-0000-7000-8000-00000000000a'
const application = '00000000-0000-7000-8000-00000000000b'
const document = '00000000-0000-7000-8000-00000000000d'
const payment = '019a0000-0000-7000-8000-00000000000c'

const transfer = (kind: string, debit: string, credit: string, currency: string) => `
  insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
  values ('${account}', '${kind}', '${debit}', '${credit}', '${currency}', 10, '${payment}', gen_random_uuid(), now())`

interface Trial {
  readonly what: string
  readonly statement: string
  /** Part of the message with which a guard refuses the row; null for a row that is accepted. */
  readonly refusal: string | null
}

const accepted = (what: string, statement: string): Trial => ({ what, statement, refusal: null })

/** The rows of one payment in the order of their foreign keys, and rows that a trigger refuses. */
const trials: readonly Trial[] = [
  accepted('a position', `insert into transaction_position_base (base) values (0) on conflict do nothing`),
  accepted('a position', `insert into ledger_balance_position (position) values (0) on conflict do nothing`),
  accepted(
    'a document',
    `insert into documents (id, storage_key, size_bytes, sha256, uploaded_at, claimed_at)
     values ('${document}', 'document', 1, sha256('a'), now(), now())`,
  ),
  accepted(
    'a merchant',
    `insert into merchants (id, account_type, fullname, email, phone, document_type, document_id, created_at)
     values ('${account}', 'business', 'Shop', 'a@shop.example', '1', 'tax_id', '${document}', now())`,
  ),
  accepted('an environment', `insert into environments values ('${account}', '${account}')`),
  accepted(
    'an application',
    `insert into applications (account_id, id, name, description, category, created_at, updated_at)
     values ('${account}', '${application}', 'Shop', 'Shop', 'retail', now(), now())`,
  ),
  accepted(
    'a payment',
    `insert into payments (account_id, id, application_id, amount_minor, currency, description, created_at, updated_at, expires_at)
     values ('${account}', '${payment}', '${application}', 100, 'USD', 'Order', id_time('${payment}'), now(), now())`,
  ),
  accepted(
    'a change of a payment',
    `update payments set method = 'ecocash' where account_id = '${account}' and id = '${payment}'`,
  ),
  accepted(
    'accounts of the ledger',
    `insert into ledger_accounts values ('${account}', 'merchant.payable', 'USD'), ('${account}', 'clearing.ecocash', 'USD'),
     ('${account}', 'merchant.payable', 'ZWG'), ('${account}', 'fee.revenue', 'ZWG'), ('${account}', 'refunds.payable', 'USD')`,
  ),
  accepted('a transfer', transfer('capture', 'clearing.ecocash', 'merchant.payable', 'USD')),
  {
    what: 'a transfer in another currency',
    statement: transfer('fee', 'merchant.payable', 'fee.revenue', 'ZWG'),
    refusal: 'is not in the currency and of the application of its payment',
  },
  {
    what: 'a transfer to an account that does not exist',
    statement: transfer('fee', 'merchant.payable', 'fee.revenue', 'USD'),
    refusal: 'names an account that does not exist',
  },
  accepted('a later position', 'update ledger_balance_position set position = 9000000000000000'),
  {
    what: 'a transfer below the position of the balances',
    statement: transfer('refund_reserve', 'merchant.payable', 'refunds.payable', 'USD'),
    refusal: 'is below the position of the balances',
  },
]

/** Writes a payment and its transfers into a distributed database; returns the differences from one node. */
export async function tryRows(client: pg.Client): Promise<string[]> {
  const problems: string[] = []
  for (const { what, statement, refusal } of trials) {
    const message = await client.query(statement).then(
      () => null,
      (error: Error) => error.message,
    )
    if (refusal === null ? message !== null : !message?.includes(refusal))
      problems.push(`${what}: ${message ?? 'accepted'}`)
  }
  const { rows } = await client.query(
    `select former_status, former_method, method from payment_stat_deltas where account_id = '${account}' order by seq`,
  )
  const expected = [
    { former_status: null, former_method: null, method: null },
    { former_status: 'pending', former_method: null, method: 'ecocash' },
  ]
  if (JSON.stringify(rows) !== JSON.stringify(expected)) problems.push(`the deltas: ${JSON.stringify(rows)}`)
  return problems
}
