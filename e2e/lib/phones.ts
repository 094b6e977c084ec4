import type { Browser, CDPSession, Page } from '@playwright/test'

const PHONE_BELOW_PX = 640

export const isPhone = (viewport: { readonly width: number } | null | undefined): boolean =>
  viewport !== null && viewport !== undefined && viewport.width < PHONE_BELOW_PX

/** For the contexts that a test creates itself. One without a size has the options of the test. */
export function withPhones(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options = {}) => {
    if (!options.viewport) return newContext(options)
    const isMobile = options.isMobile || isPhone(options.viewport)
    const hasTouch = options.hasTouch || isMobile
    const context = await newContext({ ...options, isMobile, hasTouch })
    if (!isMobile) context.on('page', becomePhoneWhenNarrow)
    return context
  }
  return browser
}

/** Playwright makes a context a phone, or not, for its whole life. */
export function becomePhoneWhenNarrow(page: Page): void {
  const resize = page.setViewportSize.bind(page)
  let emulation: CDPSession | undefined
  page.setViewportSize = async (size) => {
    const mobile = isPhone(size)
    if (emulation && !mobile) {
      await emulation.send('Emulation.clearDeviceMetricsOverride')
      await emulation.send('Emulation.setTouchEmulationEnabled', { enabled: false })
    }
    await resize(size)
    if (!mobile) return
    emulation ??= await page.context().newCDPSession(page)
    await emulation.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile })
    await emulation.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  }
}
