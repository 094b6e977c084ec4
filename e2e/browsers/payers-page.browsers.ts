import { type GatewayProcess, launch } from '@muripo/rig/gateway'
import {
  type Application,
  createApplication,
  createPayment,
  type Payment,
  signIn,
  signUp,
} from '@muripo/rig/merchant'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ageAttempts } from '../lib/database.ts'
import { clear, temporaryDataDir } from '../lib/processes.ts'
import { newPhone, type Wallet, walletAt } from '../lib/wallet.ts'
import type { Browser } from './browser.ts'
import { openFirefox } from './firefox.ts'
import { openWebkit } from './webkit.ts'

const dataDir = temporaryDataDir()
let gateway: GatewayProcess
let wallet: Wallet
let application: Application

beforeAll(async () => {
  gateway = await launch({ dataDir, environment: { PASSWORD_MEMORY_MIB: '7' } })
  await gateway.ready()
  wallet = walletAt(gateway.simulatorUrl)
  const tokens = await signIn(gateway.url, await signUp(gateway.url))
  application = await createApplication(gateway.url, tokens)
})
afterAll(async () => {
  await gateway?.interrupt()
  await clear(dataDir)
})

describe.each([
  ['Firefox', openFirefox],
  ['WebKit', openWebkit],
])("the payer's page in %s", (_name, open) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await open()
  })
  afterAll(() => browser?.close())

  /** A page may be replaced at any moment. */
  const heading = () =>
    browser.evaluate<string>('document.querySelector("h1")?.textContent').catch(() => null)
  const reads = (title: string) => expect.poll(heading, { timeout: 30_000, interval: 200 }).toBe(title)
  const text = () => browser.evaluate<string>('document.body.innerText').catch(() => '')
  const fill = (selector: string, value: string) =>
    browser.evaluate(
      `void (document.querySelector(${JSON.stringify(selector)}).value = ${JSON.stringify(value)})`,
    )
  /** The click of a script, because a click by coordinates needs a window that is in front. */
  const press = (name: string) =>
    browser.evaluate(
      `void [...document.querySelectorAll("button, a")].find((each) => each.textContent.trim() === ${JSON.stringify(name)}).click()`,
    )

  const pay = (payment: object = {}) =>
    createPayment(gateway.url, application.applicationKey, payment as Record<string, unknown>)
  async function beginToPay(payment: Payment, phone: string): Promise<void> {
    await browser.goto(payment.payment_url.replace(/^https?:\/\/[^/]+/, gateway.url))
    await fill('[name=phone]', phone)
    await press('Pay USD 25.00')
  }

  test('paid, with its receipt', async () => {
    const phone = newPhone()
    await beginToPay(await pay(), phone)
    await reads('Confirm on your phone')
    await wallet.enterPin(phone)
    await reads('Payment completed')
    await press('Receipt')
    await reads('Receipt')
  })

  test('declined', async () => {
    const phone = newPhone()
    await beginToPay(await pay(), phone)
    await reads('Confirm on your phone')
    await wallet.decline(phone)
    await reads('Not paid')
  })

  test('silent', async () => {
    const phone = newPhone()
    const payment = await pay()
    await wallet.configureCharge(phone, { neverResolves: true })
    await beginToPay(payment, phone)
    await reads('Confirm on your phone')
    await ageAttempts(dataDir, payment.id, 120)
    await reads('Still waiting')
    expect(await text()).toContain('You will not be charged twice')
    expect(await text()).toMatch(/EcoCash closes the request at \d\d:\d\d/)
    expect(await text()).not.toContain('Send it again')
    await ageAttempts(dataDir, payment.id, 600)
    await expect.poll(text, { timeout: 30_000 }).toContain('Send it again')
    await press('Send it again')
    await expect.poll(text, { timeout: 30_000 }).toContain('no other one can be sent')
    expect(await wallet.transactions(phone)).toHaveLength(1)
  })

  test('resumed by the code', async () => {
    const phone = newPhone()
    await wallet.configureCharge(phone, { neverResolves: true })
    await beginToPay(await pay(), phone)
    await reads('Confirm on your phone')
    await press('Go on from another phone')
    const shown = () =>
      browser
        .evaluate<string>('[...document.querySelectorAll(".resume-code b")].at(-1)?.textContent')
        .catch(() => null)
    await expect.poll(shown, { timeout: 30_000 }).toMatch(/^[A-Z ]{6,8}$/)
    const code = await shown()
    await browser.goto(`${gateway.url}/resume`)
    await fill('[name=code]', code ?? '')
    await press('Open the payment')
    await reads('Confirm on your phone')
  })

  test('twice: the second page of one order is warned', async () => {
    const phone = newPhone()
    await wallet.configureCharge(phone, { neverResolves: true })
    const order = { reference: `ORDER-${phone}` }
    await beginToPay(await pay(order), phone)
    await reads('Confirm on your phone')
    await beginToPay(await pay(order), phone)
    await expect.poll(text, { timeout: 30_000 }).toContain(`The order ${order.reference} is being paid`)
    expect(await wallet.transactions(phone)).toHaveLength(1)
  })
})
