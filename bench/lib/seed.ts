import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tokens } from '@muripo/contract/auth'
import type pg from 'pg'

/** Ids of pgbench's merchants, which it derives from a number; application and key have the same UUID. */
export const pgbenchIdTail = '-0000-7000-8000-000000000000'
export const pgbenchFirst = 10_000_001

/**
 * Merchants with one application each, and the applications' keys. One merchant signs up and creates all
 * applications through the API; then SQL assigns each application to a merchant of its own, which the API cannot
 * do.
 */
export async function seedMerchants(url: string, sql: pg.Client, count: number): Promise<string[]> {
  const token = await signIn(url, await signUp(url, 'bench@bench.example'))
  const keys: string[] = []
  for (let index = 0; index < count; index++) {
    keys.push((await makeApplication(url, token, `Shop ${index}`)).applicationKey)
    // An account has 50 applications at most.
    if (keys.length % 40 === 0 || keys.length === count) await sql.query(giveEachItsMerchant)
  }
  for (const copy of copiesForPgbench) await sql.query(copy, [pgbenchFirst, pgbenchIdTail, count])
  await sql.query('vacuum (analyze) merchants, documents, applications, application_keys')
  return keys
}

const documentColumns = 'size_bytes, sha256, uploaded_at, claimed_at'
const merchantColumns = `account_type, fullname, phone, password_hash, document_type, time_zone, reporting_currency, created_at`
const applicationColumns = 'name, description, category, status, name_approved, created_at, updated_at'

const giveEachItsMerchant = `do $$
declare
  old application_keys;
  new_id uuid;
begin
  for old in
    select * from application_keys
    where account_id in (select account_id from applications group by account_id having count(*) > 1)
    order by application_id offset 1
  loop
    new_id := uuidv7();
    insert into documents (id, storage_key, ${documentColumns})
      select new_id, new_id::text, ${documentColumns} from documents where claimed_at is not null limit 1;
    insert into merchants (id, email, document_id, ${merchantColumns})
      select new_id, new_id || '@bench.example', new_id, ${merchantColumns} from merchants where id = old.account_id;
    insert into environments (id, merchant_id) values (new_id, new_id);
    insert into applications (account_id, id, ${applicationColumns})
      select new_id, id, ${applicationColumns} from applications where id = old.application_id;
    update application_keys set account_id = new_id where id = old.id;
    delete from applications where (account_id, id) = (old.account_id, old.application_id);
  end loop;
end $$`

/** The addresses of a number of merchants, all with the password of the existing one. */
export async function copyMerchants(sql: pg.Client, count: number): Promise<string[]> {
  const { rows } = await sql.query<{ email: string }>(
    `with made as (
      select uuidv7() as id from generate_series(1, $1::int)
    ), document as (
      insert into documents (id, storage_key, ${documentColumns})
      select made.id, made.id::text, ${documentColumns}
      from made, (select * from documents where claimed_at is not null limit 1) as model
    ), environment as (
      insert into environments (id, merchant_id) select id, id from made
    )
    insert into merchants (id, email, document_id, ${merchantColumns})
    select made.id, made.id || '@bench.example', made.id, ${merchantColumns}
    from made, (select * from merchants limit 1) as model
    returning email`,
    [count],
  )
  await sql.query('vacuum (analyze) merchants, documents')
  return rows.map(({ email }) => email)
}

const made = `made as (
  select (number || $2::text)::uuid as id from generate_series($1::int, $1::int + $3::int - 1) as number
)`

/** The first statement inserts the environments that the applications of the second one need. */
const copiesForPgbench = [
  `with ${made}, document as (
  insert into documents (id, storage_key, ${documentColumns})
  select made.id, made.id::text, ${documentColumns} from made, (select * from documents where claimed_at is not null limit 1) as model
), environment as (
  insert into environments (id, merchant_id) select id, id from made
)
insert into merchants (id, email, document_id, ${merchantColumns})
select made.id, made.id || '@bench.example', made.id, ${merchantColumns} from made, (select * from merchants limit 1) as model`,
  `with ${made}, application as (
  insert into applications (account_id, id, ${applicationColumns})
  select made.id, made.id, ${applicationColumns} from made, (select * from applications limit 1) as model
)
insert into application_keys (account_id, application_id, id, mode, lookup, encrypted, created_at)
select made.id, made.id, made.id, mode, sha256(made.id::text::bytea), encrypted, created_at
from made, (select * from application_keys limit 1) as model`,
]

const paper = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`

export interface Account {
  readonly email: string
  readonly password: string
}

export async function signUp(url: string, email: string): Promise<Account> {
  const password = randomUUID()
  const { uploadKey } = (await (await fetch(`${url}/v1/config`)).json()) as { uploadKey: string }
  const form = new FormData()
  form.set('file', new File([paper], 'paper.pdf', { type: 'application/pdf' }))
  const document = await call<{ url: string }>(url, '/v1/files/upload', {
    form,
    headers: { 'x-api-key': uploadKey },
  })
  await call(url, '/v1/auth/signup', {
    body: {
      role: 'merchant',
      accountType: 'business',
      fullname: 'Bench',
      email,
      password,
      phonenumber: '+263771234567',
      identificationDocumentType: 'tax_id',
      identificationDocumentPdf: document.url,
    },
  })
  return { email, password }
}

export async function signIn(url: string, { email, password }: Account): Promise<string> {
  const earlier = (await codesMailed(url, email)).length
  const { otpId } = await call<{ otpId: string }>(url, '/v1/auth/signin', { body: { email, password } })
  const otp = await nextCode(url, email, earlier)
  const tokens = await call<Tokens>(url, `/v1/auth/verify-otp/${otpId}`, { body: { purpose: 'signin', otp } })
  return tokens.authToken
}

/** @returns its id and key */
export function makeApplication(
  url: string,
  token: string,
  applicationName: string,
): Promise<{ _id: string; applicationKey: string }> {
  return call(url, '/v1/applications/create', {
    token,
    body: { applicationName, description: 'Sells things', category: 'Retail' },
  })
}

async function nextCode(url: string, email: string, earlier: number): Promise<string> {
  const giveUpAt = performance.now() + 10_000
  while (performance.now() < giveUpAt) {
    const codes = await codesMailed(url, email)
    if (codes.length > earlier) return codes[0] ?? ''
    await sleep(50)
  }
  throw new Error('the mail with the sign-in code did not come')
}

/** The newest first. */
async function codesMailed(url: string, email: string): Promise<string[]> {
  const mails = (await (await fetch(`${url}/dev/mailbox/messages?to=${email}`)).json()) as {
    text: string
  }[]
  return mails.flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? [])
}

export async function call<Reply>(
  url: string,
  at: string,
  request: { token?: string; body?: object; form?: FormData; headers?: Record<string, string> },
): Promise<Reply> {
  const response = await fetch(url + at, {
    method: 'POST',
    headers: {
      ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
      ...(request.body ? { 'content-type': 'application/json' } : {}),
      ...request.headers,
    },
    body: request.form ?? JSON.stringify(request.body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${at} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Reply
}
