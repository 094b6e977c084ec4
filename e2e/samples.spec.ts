import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { call } from '@muripo/rig/call'
import { findPayment } from '@muripo/rig/merchant'
import { expect, test } from './fixtures.ts'
import { runShell } from './lib/commands.ts'
import { placeholderKey, samplesOf } from './lib/samples.ts'

interface Shown {
  readonly id: string
  readonly status: string
  readonly payment_url: string
  readonly customer: object
}

test('[DOCS-10] [DOCS-11] [DOCS-12] [DOCS-13] the sample request works unchanged and returns the documented response', async ({
  page,
  seller,
  merchantSite,
}) => {
  await page.goto('/documentation')
  const samples = await samplesOf(page)
  const request = samples['create-payment'] ?? ''
  const origin = new URL(page.url()).port
  expect(request).toMatch(new RegExp(`^curl -X POST "http://[\\w.]+:${origin}/api/v1/payments"`))
  expect(request).toContain('-H "Authorization: Bearer ')
  expect(request).toContain('-H "Content-Type: application/json"')
  await expect(page.getByText('POST v1/payments on the API host, with bearer authorisation')).toBeVisible()

  const body = JSON.parse(/-d '([\s\S]+)'/.exec(request)?.[1] ?? '')
  expect(body).toEqual({
    amount: 1000,
    currency: 'USD',
    description: expect.any(String),
    customer: { email: expect.any(String), name: expect.any(String) },
    success_url: expect.any(String),
    cancel_url: expect.any(String),
  })

  const { applicationKey } = seller.application
  const printed = await runShell(
    request.replace(placeholderKey, applicationKey).replaceAll('https://shop.example.com', merchantSite.url),
    {},
  )
  const answer = JSON.parse(printed) as Shown
  const sample = JSON.parse(samples.payment ?? '') as Shown
  expect(sample).toMatchObject({ id: expect.any(String), status: 'pending', payment_url: expect.any(String) })
  // The sample's values are illustrative; its shape and the requested values equal the response's.
  expect(Object.keys(sample)).toEqual(Object.keys(answer))
  const { id, payment_url, created_at, expires_at, success_url, cancel_url, ...same } = {
    ...sample,
    customer: { ...sample.customer, id: expect.stringMatching(/^cus_/) },
  } as unknown as Record<string, unknown>
  expect(answer).toMatchObject(same)

  await expect(page.getByText('Redirect your customer to payment_url')).toBeVisible()
  await page.goto(answer.payment_url)
  await expect(page.getByText('USD 1,000.00', { exact: true })).toBeVisible()
})

test('[DOCS-15] reading the page creates no payment', async ({ page, gateway, seller }) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/documentation')
  await page.waitForLoadState('networkidle')
  expect(requested.length).toBeGreaterThan(3)
  expect(requested.filter((address) => address.startsWith('/api/'))).toEqual([])
  const { body } = await call<{ data: unknown[] }>('GET', `${gateway.url}/api/v1/payments`, {
    bearer: seller.application.applicationKey,
  })
  expect(body.data).toEqual([])
})

test('the shell samples of the page work, one after the other', async ({ page, gateway, seller }) => {
  const { applicationKey } = seller.application
  await page.goto('/documentation')
  const samples = await samplesOf(page)
  const setUp = (samples['your-key'] ?? '').replace(placeholderKey, applicationKey)
  expect(setUp).toContain(applicationKey)
  const run = (name: string, environment: Record<string, string> = {}) =>
    runShell(`${setUp}\n${samples[name]}`, environment)

  const created = JSON.parse(await run('quick-start')) as Shown
  expect(await findPayment(gateway.url, applicationKey, created.id)).toMatchObject({ status: 'pending' })
  for (const name of ['get-payment', 'how-it-stands']) {
    expect(JSON.parse(await run(name, { PAYMENT_ID: created.id }))).toMatchObject({ id: created.id })
  }
  const list = JSON.parse(await run('list-payments')) as { data: Shown[] }
  expect(list.data.map(({ id }) => id)).toEqual([created.id])

  expect(JSON.parse(await run('create-webhook'))).toMatchObject({ secret: expect.stringMatching(/^whsec_/) })
  expect(JSON.parse(await run('authorise-payment'))).toMatchObject({ status: 'pending', capture: 'manual' })
  // The payment is not paid, so these two are well formed and refused.
  for (const [name, code] of [
    ['refund-payment', 'payment_not_refundable'],
    ['capture-payment', 'payment_not_capturable'],
  ] as const) {
    expect(JSON.parse(await run(name, { PAYMENT_ID: created.id })), name).toMatchObject({ code })
  }

  const { requestId, ...problem } = JSON.parse(await run('wrong-payment'))
  const { requestId: illustrated, ...shown } = JSON.parse(samples.problem ?? '')
  expect(problem).toEqual(shown)
  expect(requestId).toEqual(expect.any(String))
})

test('the SDK installs as documented, and its samples run', async ({ page, gateway, seller }) => {
  await page.goto('/documentation')
  const samples = await samplesOf(page)
  const project = mkdtempSync(path.join(tmpdir(), 'muripo-project-'))
  try {
    const home = {
      HOME: project,
      npm_config_cache: path.join(project, '.npm'),
      npm_config_update_notifier: 'false',
    }
    writeFileSync(path.join(project, 'package.json'), '{ "private": true }')
    expect(samples.install).toBe(`npm install http://localhost:${new URL(page.url()).port}/sdk/muripo.tgz`)
    await runShell(`cd '${project}'\n${samples.install}`, home)
    const served = await fetch(`${gateway.url}/sdk/muripo.tgz`)
    expect(served.headers.get('cache-control')).toBe('public, max-age=3600')

    const environment = { MURIPO_URL: gateway.url, MURIPO_KEY: seller.application.applicationKey }
    const run = (name: string, more: Record<string, string> = {}) => {
      writeFileSync(path.join(project, `${name}.mjs`), samples[name] ?? '')
      return runShell(`cd '${project}'\nnode ${name}.mjs`, { ...environment, ...more })
    }
    const paymentUrl = (await run('create-payment-sdk')).trim()
    await page.goto(paymentUrl)
    await expect(page.getByText('USD 25.00', { exact: true })).toBeVisible()
    expect((await run('once-only')).trim()).toBe('true')

    const { id } = await seller.pay()
    expect((await run('check-payment-sdk', { PAYMENT_ID: id })).trim()).toBe('pending')
    const refused = await run('check-payment-sdk', { PAYMENT_ID: 'pay_none' })
    expect(refused).toMatch(/^404 not_found \S{8,}/)
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})

const endings: readonly [RegExp, { status: string; status_reason?: string }][] = [
  [/^Pays/, { status: 'completed' }],
  [/^Cancels/, { status: 'pending', status_reason: 'user_cancelled' }],
  [/too little money/, { status: 'pending', status_reason: 'insufficient_funds' }],
  [/wrong PIN/, { status: 'pending', status_reason: 'wrong_pin' }],
  [/limit/, { status: 'pending', status_reason: 'limit_exceeded' }],
]
const endingOf = (states: string) =>
  endings.find(([words]) => words.test(states))?.[1] ?? { status: 'none known' }

test('test numbers and PINs behave as documented', async ({ page, gateway, seller, wallet }) => {
  await page.goto('/documentation')
  const rowsOf = (name: string) =>
    page
      .getByRole('region', { name })
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))
  const [numbers, pins] = [await rowsOf('Test numbers'), await rowsOf('Test PINs')]
  expect([numbers.length, pins.length]).toEqual([5, 5])

  const pay = async (phone: string) => {
    const { id, payment_url } = await seller.pay()
    await page.goto(payment_url)
    await page.getByLabel('Phone number').fill(phone)
    // The navigation to the next payment must not abort the response to this form.
    await Promise.all([page.waitForEvent('load'), page.locator('button[type=submit]').first().click()])
    return id
  }
  const standing = (id: string) => findPayment(gateway.url, seller.application.applicationKey, id)

  for (const [number = '', states = ''] of numbers.filter(([first]) => /^[\d ]+$/.test(first ?? ''))) {
    const id = await pay(number)
    await expect.poll(() => standing(id), { message: `${number}: ${states}` }).toMatchObject(endingOf(states))
  }
  for (const [index, [pin = '', states = '']] of pins.entries()) {
    const phone = `078 555 000${index}`
    const id = await pay(phone)
    await wallet.enterPin(phone.replaceAll(' ', ''), pin)
    await expect.poll(() => standing(id), { message: `${pin}: ${states}` }).toMatchObject(endingOf(states))
  }
})

test('a payer is offered every method that the page lists, in the listed currencies', async ({
  page,
  seller,
}) => {
  await page.goto('/documentation')
  const region = page.getByRole('region', { name: 'Payment methods' })
  await expect(page.getByText('Every method takes US dollars and Zimbabwe Gold')).toBeVisible()
  const listed = await region
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.querySelector('code')?.textContent ?? ''))
  expect(listed).toHaveLength(4)
  for (const [currency, expected] of [
    ['USD', listed],
    ['ZWG', listed],
  ] as const) {
    const { payment_url } = await seller.pay({ currency })
    await page.goto(payment_url)
    const offered = await page
      .locator('input[name=method]')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
    expect(offered, currency).toEqual(expected)
  }
})
