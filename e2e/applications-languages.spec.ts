import { expect, test } from './fixtures.ts'
import { pageOf, tab } from './lib/applications.ts'
import { checkTranslation } from './lib/check-page.ts'
import { button, expectToast } from './lib/page.ts'
import { openWebhookReceiver } from './lib/webhook-receiver.ts'

/** Ndebele, whose words need most room. `scripts/checks/translations.test.ts` compares the texts of all languages. */
const locale = 'nd'
const words = {
  list: 'Ama-application',
  shown: 'Ubona ama-application angu-1 kwangu-1',
  active: 'Iyasebenza',
  create: 'Dala i-application entsha',
  submit: 'Dala i-application',
  missing: 'Faka ibizo le-application',
  stop: 'Misa Chiedza Crafts',
  stopTitle: 'Misa i-application',
  banking: 'Imali yebhanga lokuqathaniswa kwayo',
  update: 'Tshintsha imininingwane yebhanga',
  save: 'Gcina imininingwane',
  bankMissing: 'Faka ibhanga',
  key: 'I-key ye-application',
  regenerate: 'Yenza i-key entsha',
  webhooks: 'Ama-webhook',
  add: 'Engeza i-endpoint',
  address: 'Ikheli le-endpoint (URL)',
  secret: 'I-secret yokusayina',
  kept: 'Sengiyigcinile',
  test: 'Thumela isenzakalo sokuhlola',
  sent: 'Isenzakalo sokuhlola sithunyelwe',
  delivered: 'Sifikile',
  delivery: 'Okuthunyelweyo',
  today: 'Lamuhla, ',
  off: 'Citsha',
  turnedOff: 'I-endpoint icitshiwe',
  chat: 'Vula i-chat yosizo',
  greeting: 'Salibonani! Siyakwamukela kuMuripo. Singakusiza ngani?',
} as const

test.use({ locale: `${locale}-ZW` })

test('the list of applications, a new one and the chat', async ({ page, seller, openDashboard }) => {
  await openDashboard('/app/applications')
  await expect(page.getByRole('heading', { level: 1, name: words.list })).toBeVisible()
  await expect(page.getByText(words.shown)).toBeVisible()
  await expect(page.getByText(seller.application.applicationName)).toBeVisible()
  await expect(page.locator('[data-tone=green]')).toHaveText(words.active)
  await checkTranslation(page, `applications-${locale}`)
  await button(page, words.stop).click()
  await expect(page.getByRole('dialog', { name: words.stopTitle })).toBeVisible()
  await checkTranslation(page, `application-stop-${locale}`)
  await page.keyboard.press('Escape')
  await button(page, words.create).click()
  const dialog = page.getByRole('dialog', { name: words.create })
  await dialog.getByRole('button', { name: words.submit, exact: true }).click()
  await expect(dialog.getByText(words.missing)).toBeVisible()
  await checkTranslation(page, `application-create-${locale}`)
  await page.keyboard.press('Escape')
  await button(page, words.chat).click()
  await expect(page.getByText(words.greeting)).toBeVisible()
  await checkTranslation(page, `chat-${locale}`)
})

test('an application, its banking details and its key', async ({ page, seller, openDashboard }) => {
  await openDashboard(pageOf(seller.application._id))
  await expect(page.getByRole('heading', { level: 1, name: 'Chiedza Crafts' })).toBeVisible()
  await checkTranslation(page, `application-${locale}`)
  await tab(page, words.banking).click()
  await checkTranslation(page, `application-banking-${locale}`)
  await button(page, words.update).click()
  const dialog = page.getByRole('dialog', { name: words.update })
  await dialog.getByRole('button', { name: words.save }).click()
  await expect(dialog.getByText(words.bankMissing, { exact: true })).toBeVisible()
  await checkTranslation(page, `application-banking-form-${locale}`)
  await page.keyboard.press('Escape')
  await tab(page, words.key).click()
  await checkTranslation(page, `application-key-${locale}`)
  await button(page, words.regenerate).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await checkTranslation(page, `application-regenerate-${locale}`)
})

test('webhook endpoints and their deliveries', async ({ page, seller, openDashboard }) => {
  const receiver = await openWebhookReceiver()
  await openDashboard(pageOf(seller.application._id))
  await tab(page, words.webhooks).click()
  await button(page, words.add).click()
  const form = page.getByRole('dialog', { name: words.add })
  await form.getByRole('textbox', { name: words.address }).fill(receiver.url)
  await checkTranslation(page, `endpoint-form-${locale}`)
  await form.getByRole('button', { name: words.add }).click()
  await expect(page.getByRole('dialog', { name: words.secret })).toBeVisible()
  await checkTranslation(page, `endpoint-secret-${locale}`)
  await button(page, words.kept).click()
  await button(page, words.test).click()
  await expectToast(page, words.sent)
  await expect(page.getByText(words.delivered, { exact: true })).toBeVisible()
  await expect(page.getByText(words.today)).toBeVisible()
  await checkTranslation(page, `endpoint-${locale}`)
  await button(page, 'webhook.test').click()
  await expect(page.getByRole('dialog', { name: words.delivery })).toContainText('HTTP 200')
  await checkTranslation(page, `delivery-${locale}`)
  await page.keyboard.press('Escape')
  await button(page, words.off).click()
  await expectToast(page, words.turnedOff)
  await checkTranslation(page, `endpoint-off-${locale}`)
  await receiver.close()
})
