import { PersonId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { test as base } from '../../test/fixtures.ts'
import { testMasterKey } from '../../test/master-key.ts'
import { makeTerminal } from '../../test/terminal.ts'
import { merchantTables } from '../merchant-tables.ts'
import { makeNamedKey } from '../modules/applications/factory.ts'
import { makeInvitation, makePasskey, makeSession } from '../modules/identity/factory.ts'
import { addOperator } from '../modules/operators/index.ts'
import { makeNewEndpoint } from '../modules/webhooks/factory.ts'
import { operatorActor } from '../platform/audit/actor.ts'
import { invariant } from '../platform/errors.ts'
import { idFrom, uuidOf } from '../platform/ids.ts'
import { retention } from '../platform/jobs/retention.ts'

/** Columns that the erasure of a merchant blanks, or whose rows it deletes. */
const erased: Readonly<Record<string, readonly string[]>> = {
  merchants: ['fullname', 'email', 'phone', 'prompt_name'],
  persons: ['fullname', 'email', 'password_hash'],
  passkeys: ['credential_id', 'public_key', 'transports', 'name'],
  sessions: ['browser', 'network'],
  totp_factors: ['secret'],
  invitations: ['email'],
  applications: [
    'name',
    'description',
    'prompt_name',
    'bank_name',
    'bank_account_number',
    'bank_account_name',
    'bank_account_type',
    'bank_rejection',
  ],
  application_brands: ['logo'],
  approved_brands: ['logo'],
  application_keys: ['encrypted', 'name', 'allowed_addresses', 'last_used_address'],
  webhook_endpoints: ['url'],
  webhook_secrets: ['encrypted'],
  proposals: ['payload', 'subject_version', 'about', 'diff', 'reason', 'decision_reason'],
}

const isOfPayer = 'of the merchant’s payers, whom `customers erase` erases'
const isOfMoney =
  'a fact about money: references, descriptions and answers of providers, which the ledger needs'
const isOfAccount =
  'a record of a provider or a bank about the company’s own account, against which the books are proved'
const deletedWithRow = 'deleted with its row'
const isOfCompany = 'of the company and its operators'

/** Tables and columns that the erasure keeps, with the reason. Tables with a retention period are deleted by it. */
const kept: Readonly<Record<string, string>> = {
  audit_log: 'append-only and sealed: no role may change it',
  jobs: 'the payload of a job about a person is encrypted, and its row is deleted when it is done',
  root_secret: isOfCompany,
  'merchants.document_type': 'a word of a list',
  'merchants.time_zone': 'a setting',
  'merchants.reporting_currency': 'a setting',
  'merchants.status_changed_by': isOfCompany,
  'merchants.status_reason': 'the reason of the operator, as the audit log has it',
  'applications.category': 'a word of a list',
  'applications.operator_stop_reason': 'the reason of the operator, as the audit log has it',
  'application_brands.colour': deletedWithRow,
  'application_brands.logo_hash': deletedWithRow,
  'approved_brands.colour': deletedWithRow,
  'approved_brands.logo_hash': deletedWithRow,
  'application_keys.permissions': 'words of a list',
  'webhook_endpoints.events': 'words of a list',
  'proposals.subject': 'an id, or the email of an operator',
  operators: isOfCompany,
  operator_passkeys: isOfCompany,
  provider_accounts: isOfCompany,
  provider_budgets: isOfCompany,
  provider_callback_refusals: isOfCompany,
  provider_routes: 'names of accounts at providers',
  incidents: isOfCompany,
  incident_updates: isOfCompany,
  business_holidays: isOfCompany,
  bank_accounts: isOfCompany,
  statement_sources: isOfCompany,
  statements: isOfAccount,
  statement_lines: isOfAccount,
  statement_unread_rows: isOfAccount,
  customers: isOfPayer,
  payments: isOfPayer,
  payment_attempts: isOfPayer,
  capture_instructions: isOfPayer,
  resume_codes: 'a code of a payment, without its payer',
  refunds: isOfMoney,
  payment_anomalies: isOfMoney,
  payment_counts: isOfMoney,
  payment_revenue: isOfMoney,
  payment_stat_deltas: isOfMoney,
  verdict_references: isOfMoney,
  ledger_accounts: isOfMoney,
  ledger_account_balances: isOfMoney,
  ledger_adjustments: isOfMoney,
  ledger_day_sums: isOfMoney,
  ledger_transfers: isOfMoney,
}

const expiring = new Set<string>(
  Object.values(retention)
    .flatMap(({ tables }) => tables)
    .filter((table) => !(table in erased) && table !== 'merchants'),
)

const test = base.extend('columns', async ({ world: { ctx } }) => {
  // Without the words of a list and the hashes, which a check of the column alone shows.
  const { rows } = await ctx.db.pool.query<{ name: string; column: string; type: string }>(`
    select c.relname as name, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype, 'json'::regtype, 'bytea'::regtype, 'inet'::regtype)
      and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and (
        pg_get_constraintdef(k.oid) ~ format('^CHECK \\(\\(%s = ANY \\(ARRAY\\[[^()]*\\]\\)\\)\\)$', a.attname)
        or pg_get_constraintdef(k.oid) = format('CHECK ((length(%s) = 32))', a.attname)))
    order by 1, a.attnum`)
  return rows
})

test('each column that may have personal data is erased with its merchant, expires, or is kept for a reason', ({
  columns,
}) => {
  const placesOf = ({ name, column }: { name: string; column: string }) =>
    [erased[name]?.includes(column), name in kept, `${name}.${column}` in kept, expiring.has(name)].filter(
      Boolean,
    ).length
  expect(columns.length).toBeGreaterThan(100)
  expect(
    columns
      .filter((each) => placesOf(each) !== 1)
      .map((each) => `${each.name}.${each.column} is in ${placesOf(each)} lists`),
  ).toEqual([])
})

test('no list names a column that does not exist', ({ columns }) => {
  const names = new Set(columns.flatMap(({ name, column }) => [name, `${name}.${column}`]))
  const listed = Object.entries(erased).flatMap(([name, all]) => all.map((column) => `${name}.${column}`))
  expect([...listed, ...Object.keys(kept)].filter((each) => !names.has(each))).toEqual([])
})

const canary = 'Canary Ndlovu'

/** A value of each type that contains the canary. */
const values: Readonly<Record<string, string>> = {
  text: `'${canary} ' || left(md5(random()::text), 6)`,
  'text[]': `array['${canary}']`,
  jsonb: `jsonb_build_object('name', '${canary}')`,
  bytea: `convert_to('${canary} ' || md5(random()::text), 'UTF8')`,
}

/** Columns that a check of the table wants beside the erased ones. */
const besides: Readonly<Record<string, string>> = {
  merchants: 'approved_at = now(), ',
  applications: 'bank_changed_at = now(), ',
  application_brands: "logo_type = 'image/png', logo_hash = md5('logo'), ",
  approved_brands: "logo_type = 'image/png', logo_hash = md5('logo'), ",
  application_keys: "permissions = array['payments:read'], ",
}

test('[invariant] the erasure of a merchant leaves nothing in any of these columns', async ({
  world: { ctx },
  shop: { merchantId, accountId, owner },
  columns,
}) => {
  const { adminIn, remove } = makeTerminal(ctx.databaseUrl)
  onTestFinished(remove)
  const admin = adminIn({ MURIPO_MASTER_KEY: testMasterKey.toString('base64') })
  const query = async (statement: string, values: readonly unknown[] = []) =>
    (await ctx.db.pool.query(statement, [...values])).rows
  await makeSession(ctx, merchantId)
  await makePasskey(ctx, merchantId)
  await makeInvitation(ctx, merchantId)
  await makeNamedKey(ctx, owner)
  await makeNewEndpoint(ctx, owner, 'https://tendai.example/hooks')
  const [{ person_id: personId }] = await query('select person_id from memberships')
  await query(
    "insert into totp_factors (person_id, secret, started_at) values ($1, decode(repeat('00', 40), 'hex'), now())",
    [personId],
  )
  for (const table of ['application_brands', 'approved_brands'])
    await query(
      `insert into ${table} (account_id, application_id) select account_id, id from applications on conflict do nothing`,
    )
  const risk = { email: 'risk@company.test', name: 'Risk', role: 'risk' } as const
  const added = await addOperator(ctx, operatorActor('root', 'root@till'), risk)
  invariant(added, 'nobody has the email')
  await query(
    `insert into proposals (id, kind, subject, account_id, payload, subject_version, about, diff, reason, proposed_by, proposed_at, expires_at, state, decided_at)
     select gen_random_uuid(), kind, subject, account_id, payload, '1', 'about', '[]', 'because', $1, now(), now() + interval '1 day',
       state, case when state = 'stale' then now() end
     from (values
       ('banking.approve', $2, $3::uuid, '{}'::jsonb, 'open'),
       ('banking.approve', $2, $3::uuid, '{}'::jsonb, 'stale'),
       ('merchant.close', $4, null, '{}'::jsonb, 'stale'),
       ('person.remove_authenticator', $5, null, '{}'::jsonb, 'stale'),
       ('refund.batch', 'rfd_1', null, jsonb_build_object('refunds', jsonb_build_array(jsonb_build_object('accountId', $4::text))), 'stale')
     ) as given (kind, subject, account_id, payload, state)`,
    [
      uuidOf(added.operator.id),
      owner.applicationId,
      uuidOf(accountId),
      merchantId,
      idFrom(PersonId, personId),
    ],
  )
  expect(await admin('merchants', 'close', merchantId, '--reason', 'The contract ended')).toMatchObject({
    code: 0,
  })

  const typeOf = new Map(columns.map(({ name, column, type }) => [`${name}.${column}`, type]))
  await ctx.db.tx(async (tx) => {
    // Triggers would refuse to change what nobody changes.
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const [table, names] of Object.entries(erased)) {
      // The batch of refunds is found by its payload.
      const sets = names.map((name) =>
        table === 'proposals' && name === 'payload'
          ? `payload = payload || ${values.jsonb}`
          : `${name} = ${values[typeOf.get(`${table}.${name}`) ?? '']}`,
      )
      const set = `update ${table} set ${besides[table] ?? ''}${sets.join(', ')}`
      const { numAffectedRows } = await sql.raw(set).execute(tx)
      expect(numAffectedRows, table).toBeGreaterThan(0n)
    }
  })
  const found = async () => {
    const places = columns.map(
      ({ name, column }) =>
        `select '${name}.${column}' as place from ${name} where ${column}::text ~ '${canary}|${Buffer.from(canary).toString('hex')}'`,
    )
    const rows = await query(`${places.join(' union ')} order by 1`)
    return rows.map(({ place }) => place)
  }
  const all = Object.entries(erased).flatMap(([name, names]) => names.map((column) => `${name}.${column}`))
  expect(await found()).toEqual(all.toSorted())
  const erasure = await admin('merchants', 'erase', merchantId, '--reason', 'His request')
  expect(erasure).toMatchObject({ code: 0, output: expect.stringContaining('is erased') })
  expect(await found()).toEqual([])
  expect(await query('select distinct state, about, payload, diff from proposals')).toEqual([
    { state: 'stale', about: 'Erased', payload: {}, diff: [] },
  ])
  // The decision, its time and its ids stay as they were.
  for (const change of ["reason = 'other'", 'erased_at = null', "erased_at = '2020-01-01'", "state = 'open'"])
    await expect(query(`update proposals set ${change}`), change).rejects.toThrow('is a record')
})

const hashes = 'hashes of codes and tokens'
const computed = 'computed from payments and the ledger'
const queue = 'rows that are deleted when they are handled'

/** Tables with rows of merchants or persons that an export leaves out, with the reason. */
const notExported: Readonly<Record<string, string>> = {
  events_to_relay: queue,
  ledger_account_balances: computed,
  ledger_comparisons: computed,
  ledger_day_sums: computed,
  one_time_codes: hashes,
  passkey_challenges: 'random values that live for minutes',
  payment_counts: computed,
  payment_revenue: computed,
  payment_stat_deltas: computed,
  proposals: 'of the company alone: what its operators propose. The audit log has what they decided',
  receipts_to_mail: queue,
  recovery_codes: hashes,
  refresh_tokens: hashes,
  resume_codes: 'codes with which a payer comes back',
  verdict_references: 'references of payments and refunds once more',
  webhook_secrets: 'secrets',
}

test('an export has every table with rows of merchants, or leaves it out for a reason', async ({
  world: { ctx },
}) => {
  const { rows } = await ctx.db.pool.query<{ name: string }>(`
    select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attname in ('merchant_id', 'account_id', 'person_id') order by 1`)
  const exported = new Set(merchantTables.map(({ table }) => table))
  expect(rows.map(({ name }) => name).filter((name) => !exported.has(name))).toEqual(Object.keys(notExported))
})
