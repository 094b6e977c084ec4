import type { Page } from '@playwright/test'
import { expect, storeTokens, test } from './fixtures.ts'
import { checkWidths, waitUntilStill } from './lib/check-page.ts'
import { waitForScripts } from './lib/site.ts'

test.use({ reducedMotion: 'no-preference' })

const panel = (page: Page) => page.getByRole('region', { name: 'Support chat' })
const messages = (page: Page) => panel(page).locator('[data-message-id]')
const input = (page: Page) => panel(page).getByRole('textbox', { name: 'Your message' })
const launcher = (page: Page) => page.getByRole('button', { name: /support chat/ })

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForScripts(page)
  await launcher(page).click()
  await expect(panel(page)).toBeVisible()
}

test('[NAV-11] the chat is available on public, auth and dashboard pages', async ({ page, merchant }) => {
  for (const path of ['/', '/help', '/auth/signin', '/auth/signup']) {
    await page.goto(path)
    await expect(launcher(page), path).toBeVisible()
  }
  await storeTokens(page, merchant.tokens)
  await page.goto('/app')
  await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
  await expect(launcher(page)).toBeVisible()
})

test('[NAV-15] [NAV-16] [NAV-17] [NAV-20] the chat begins with a greeting, and responds after one second', async ({
  page,
  context,
}) => {
  await page.clock.install()
  await open(page, '/about')
  await expect(messages(page)).toHaveCount(1)
  await expect(messages(page)).toHaveAttribute('data-sender', 'support')
  await checkWidths(page, 'chat')
  await page.clock.pauseAt(Date.now() + 60_000)
  await context.setOffline(true)
  await input(page).fill('Is it free?')
  await input(page).press('Enter')
  await expect(messages(page)).toHaveCount(2)
  await expect(messages(page).nth(1)).toHaveAttribute('data-sender', 'user')
  await expect(messages(page).nth(1)).toContainText('Is it free?')
  await page.clock.runFor(990)
  await expect(messages(page)).toHaveCount(2)
  await page.clock.runFor(20)
  await expect(messages(page)).toHaveCount(3)
  await expect(messages(page).nth(2)).toHaveAttribute('data-sender', 'support')
  const ids = await messages(page).evaluateAll((all) =>
    all.map((one) => (one as HTMLElement).dataset.messageId),
  )
  expect(new Set(ids).size).toBe(3)
  for (const time of await messages(page).locator('time').all()) {
    await expect(time).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  }
})

test('[NAV-18] [NAV-19] Enter sends, Shift+Enter breaks the line, and an empty message is not sent', async ({
  page,
}) => {
  await open(page, '/about')
  await expect(input(page)).toBeFocused()
  await page.keyboard.type('one')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('two')
  await expect(messages(page)).toHaveCount(1)
  await expect(input(page)).toHaveValue('one\ntwo')
  await page.keyboard.press('Enter')
  await expect(input(page)).toHaveValue('')
  await expect(messages(page)).toHaveCount(3)
  await input(page).fill('  \n ')
  await page.keyboard.press('Enter')
  await panel(page).getByRole('button', { name: 'Send message' }).click()
  await page.waitForTimeout(1300)
  await expect(messages(page)).toHaveCount(3)
  await input(page).fill('by the button')
  await panel(page).getByRole('button', { name: 'Send message' }).click()
  await expect(messages(page)).toHaveCount(5)
})

test('[NAV-12] [NAV-13] minimising keeps the conversation, also on other pages; closing ends it', async ({
  page,
}) => {
  await open(page, '/about')
  await input(page).fill('Hello')
  await input(page).press('Enter')
  await expect(messages(page)).toHaveCount(3)
  await panel(page).getByRole('button', { name: 'Minimise chat' }).click()
  await expect(panel(page)).toBeHidden()
  await expect(launcher(page)).toBeFocused()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Help' }).click()
  await expect(page).toHaveURL('/help')
  await launcher(page).click()
  await expect(messages(page)).toHaveCount(3)
  await panel(page).getByRole('button', { name: 'Close chat' }).click()
  await expect(panel(page)).toBeHidden()
  await launcher(page).click()
  await expect(messages(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
})

for (const where of ['/about', '/app'] as const) {
  test(`[NAV-14] on a small screen the chat moves up while the footer of ${where} is in view`, async ({
    page,
    merchant,
  }) => {
    if (where === '/app') await storeTokens(page, merchant.tokens)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const scroll = (toEnd: boolean) =>
      page.evaluate((end) => window.scrollTo(0, end ? document.body.scrollHeight : 0), toEnd)
    const bottom = async () => {
      const box = await launcher(page).boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    await page.setViewportSize({ width: 375, height: 500 })
    await page.goto(where)
    await page.getByRole('contentinfo').waitFor()
    await scroll(false)
    await waitUntilStill(page)
    const usual = await bottom()
    await scroll(true)
    await expect.poll(bottom).toBeLessThan(usual - 50)
    await scroll(false)
    await expect.poll(bottom).toBe(usual)
    await page.setViewportSize({ width: 1440, height: 500 })
    const large = await bottom()
    await scroll(true)
    await page.waitForTimeout(400)
    expect(await bottom()).toBe(large)
  })
}

test('the chat button is small while the page scrolls, and does not cover the last row', async ({
  page,
  openDashboard,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 375, height: 640 })
  await openDashboard('/app/settings')
  await expect(page.getByRole('contentinfo')).toBeAttached()
  const widthOf = async () => (await launcher(page).boundingBox())?.width
  const width = await widthOf()
  await page.mouse.move(180, 300)
  for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, 60)
  await expect.poll(widthOf, { intervals: [20] }).toBeLessThan(40)
  await expect.poll(widthOf).toBe(width)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  const distance = async () => {
    const button = await launcher(page).boundingBox()
    const last = await page.locator('main section').last().boundingBox()
    return (button?.y ?? 0) - ((last?.y ?? 0) + (last?.height ?? 0))
  }
  await expect.poll(distance).toBeGreaterThanOrEqual(0)
})

/** The texts and controls below a floating button at any scroll position, so that heights are not compared. */
const coveredIn = (page: Page, place: string) =>
  page.evaluate((selector) => {
    const buttons = [...document.querySelectorAll('button[data-framework], button[data-to-top]')].map(
      (each) => each.getBoundingClientRect(),
    )
    const left = Math.min(...buttons.filter(({ width }) => width > 0).map((box) => box.left))
    if (left === Number.POSITIVE_INFINITY) throw new Error('no button floats at the edge of the window')
    const inPanels = document.querySelectorAll(
      `${selector} :is(a, button, input, select, time, [data-tone], p, dd)`,
    )
    return [...inPanels]
      .filter((each) => each.checkVisibility() && each.clientWidth > 1)
      .filter((each) => {
        const text = document.createRange()
        text.selectNodeContents(each)
        const box = each.matches('a, button, input, [data-tone]') ? each : text
        return box.getBoundingClientRect().right > left + 1
      })
      .map((each) => each.outerHTML.slice(0, 120))
  }, place)

test('no floating button covers an amount, a status or a control of the dashboard', async ({
  page,
  seller,
  openDashboard,
}) => {
  for (let payment = 0; payment < 4; payment += 1) await seller.pay()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const path of ['/app', '/app/payments', '/app/applications', '/app/settings']) {
    await openDashboard(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    await expect(launcher(page)).toBeVisible()
    for (const { width, height } of [
      { width: 375, height: 740 },
      { width: 768, height: 1024 },
      { width: 1440, height: 700 },
    ]) {
      await page.setViewportSize({ width, height })
      await waitUntilStill(page)
      expect.soft(await coveredIn(page, 'main section'), `${path} at ${width} px`).toEqual([])
    }
  }
})

test('on a phone no floating button covers a field of the sign-in and sign-up forms', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 740 })
  for (const path of ['/auth/signup', '/auth/signin']) {
    await page.goto(path)
    await expect(launcher(page)).toBeVisible()
    expect(await coveredIn(page, 'main'), path).toEqual([])
  }
})

for (const width of [375, 320]) {
  test(`on a public page of ${width} px the chat button covers no typed text`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 })
    await page.goto('/contact')
    const button = await launcher(page).boundingBox()
    expect((button?.x ?? 0) + (button?.width ?? 0)).toBe(width)
    const ends = await page
      .locator('main :is(input, textarea)')
      .evaluateAll((fields) =>
        fields.map(
          (field) =>
            field.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(field).paddingRight),
        ),
      )
    expect(ends.length).toBeGreaterThan(2)
    for (const end of ends) expect(end).toBeLessThanOrEqual(button?.x ?? 0)
  })
}
