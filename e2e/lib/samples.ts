import type { Page } from '@playwright/test'

export const placeholderKey = 'mk_test_your_application_key'

/** The code samples of a page by name, as a reader copies them. */
export async function samplesOf(page: Page): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(
    await page
      .locator('[data-sample]')
      .evaluateAll((blocks) =>
        blocks.map((block) => [
          block.getAttribute('data-sample') ?? '',
          block.querySelector('code')?.textContent ?? '',
        ]),
      ),
  )
}
