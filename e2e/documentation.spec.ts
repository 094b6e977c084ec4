import { errorCatalogue } from '@muripo/contract/errors'
import { publicCalls } from '@muripo/contract/public-calls'
import { expect, test } from './fixtures.ts'
import { checkLayout, checkPage, checkWidths } from './lib/check-page.ts'
import { screens, waitForScripts } from './lib/site.ts'

const cards = {
  'Quick Start': 'quick-start',
  'API Reference': 'api-reference',
  'Security Guide': 'security-guide',
  'International Payments': 'international-payments',
  'Payment Methods': 'payment-methods',
  Tutorials: 'tutorials',
}

for (const { name, viewport } of screens) {
  test.describe(name, () => {
    test.use({ viewport })

    test('the contents list leads to every heading, and marks the current one', async ({ page }) => {
      await page.goto('/documentation')
      await waitForScripts(page)
      const isPhone = viewport.width < 1024
      if (isPhone) await page.getByText('On this page', { exact: true }).locator('visible=true').click()
      const list = page.getByRole('navigation', { name: /^On this page/ })
      const targets = await list
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.slice(1)))
      const heads = await page
        .locator('main :is(h2, h3)[id]')
        .evaluateAll((found) => found.map((head) => head.id))
      expect(targets).toEqual(heads)
      await list.getByRole('link', { name: 'Idempotency' }).click()
      await expect(page.getByRole('heading', { name: 'Idempotency' })).toBeInViewport()
      if (isPhone) await expect(list).toBeHidden()
      else await expect(list.locator('[aria-current]')).toHaveText('Idempotency')
    })
  })
}

test('[DOCS-01] [DOCS-02] [DOCS-03] a hero and six cards lead into the page', async ({ page }) => {
  await page.goto('/documentation')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API Documentation')
  const links = page.locator('main ul').first().getByRole('link')
  await expect(links).toHaveCount(6)
  for (const [index, [title, id]] of Object.entries(cards).entries()) {
    const card = links.nth(index)
    await expect(card.locator('span span').first()).toHaveText(title)
    await card.click()
    await expect(page).toHaveURL(`/documentation#${id}`)
    const head = page.getByRole('heading', { level: 2, name: title })
    await expect(head).toHaveAttribute('id', id)
    await expect(head).toBeInViewport()
  }
})

test('[DOCS-08] [DOCS-09] calls to action lead to sign-up and to the prices', async ({ page }) => {
  for (const [label, target] of [
    ['Get Your API Key', '/auth/signup'],
    ['See the Pricing', '/pricing'],
    ['Create an Account', '/auth/signup'],
    ['View Pricing', '/pricing'],
  ] as const) {
    await page.goto('/documentation')
    await page.getByRole('link', { name: label }).click()
    await expect(page).toHaveURL(target)
  }
})

test('axe finds no violations, the pages fit the screen, and wide tables scroll by themselves', async ({
  page,
}) => {
  for (const path of ['/api-reference', '/documentation']) {
    await page.goto(path)
    await waitForScripts(page)
    // The API reference has the list and the tables of the documentation, whose findings on a phone are the same.
    if (path === '/documentation') await checkWidths(page, 'documentation')
    else await checkWidths(page, 'api-reference', checkPage, checkLayout)
  }
  const errors = page.getByRole('region', { name: 'Error codes' })
  for (const width of [1440, 375, 320]) {
    await page.setViewportSize({ width, height: 812 })
    const isScrolling = await errors.evaluate((frame) => frame.scrollWidth > frame.clientWidth)
    expect(isScrolling, `${width} px`).toBe(width === 320)
  }
})

test('[DOCS-04] the quick start has its three steps', async ({ page }) => {
  await page.goto('/documentation')
  const steps = page.getByRole('region', { name: 'Quick Start' }).locator('ol > li > strong')
  await expect(steps).toHaveText([
    /Get an API key from the dashboard/,
    /Authenticate with the bearer key/,
    /Create a payment/,
  ])
})

test('[DOCS-05] [DOCS-06] [DOCS-07] the reference lists payments, customers and webhooks, and every served call', async ({
  page,
  gateway,
}) => {
  await page.goto('/documentation')
  const listed = await page
    .locator('[data-endpoint]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-endpoint') ?? ''))
  expect(listed).toContain('POST /api/v1/payments')
  expect(listed).toContain('GET /api/v1/customers')
  expect(listed).toContain('POST /api/v1/webhooks')
  for (const call of listed) {
    await expect(page.locator(`[data-endpoint="${call}"]`)).toContainText(call.split(' ')[1] ?? '')
  }

  const document = (await (await fetch(`${gateway.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const served = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, '{id}')}`),
  )
  expect(listed.toSorted()).toEqual(served.toSorted())
})

test('the tables list the statuses and errors of the contract', async ({ page }) => {
  await page.goto('/documentation')
  const rowsOf = (name: string) =>
    page
      .getByRole('region', { name })
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')))
  expect((await rowsOf('Statuses of a payment')).map(([status]) => status)).toEqual([
    'pending',
    'authorized',
    'completed',
    'failed',
    'refunded',
  ])
  const errors = await rowsOf('Error codes')
  expect(errors.map(([code]) => code)).toEqual(
    expect.arrayContaining(['invalid_key', 'validation_failed', 'idempotency_mismatch', 'rate_limited']),
  )
  const calls = Object.values(publicCalls).flatMap(({ spec }) => [...spec.errors])
  expect(errors.map(([code]) => code)).toEqual(expect.arrayContaining(calls))
  for (const [code = '', status, title] of errors) {
    expect(errorCatalogue[code as keyof typeof errorCatalogue], code).toEqual({
      status: Number(status),
      title,
    })
  }
})

test('a sample and the link of a heading can be copied', async ({ page, context, gateway }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url })
  await page.goto('/documentation')
  await waitForScripts(page)
  const block = page.locator('[data-sample="create-payment"]')
  await block.getByRole('button', { name: 'Copy: Request' }).click()
  await expect(block.getByRole('button')).toContainText('Copied!')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    await block.locator('code').textContent(),
  )
  await page.getByRole('link', { name: 'Link to Security Guide' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${gateway.url}/documentation#security-guide`)
  await expect(page).toHaveURL('/documentation#security-guide')
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the manual and the reference are complete', async ({ page, gateway }) => {
    await page.goto('/documentation')
    await expect(page.locator('[data-sample]')).toHaveCount(21)
    await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0)
    await page.getByRole('link', { name: 'full API reference' }).click()
    await expect(page).toHaveURL('/api-reference')
    const { paths } = (await (await fetch(`${gateway.url}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>
    }
    const operations = Object.values(paths).flatMap((path) => Object.keys(path))
    expect(operations.length).toBeGreaterThan(3)
    await expect(page.locator('[data-operation]')).toHaveCount(operations.length)
    const create = page.locator('[data-operation="POST /api/v1/payments"]')
    await create.getByText('Answer, 201 Created').click()
    await expect(create.getByText('payment_url').first()).toBeVisible()
  })
})

test('the API reference draws every call, field and error of the OpenAPI document', async ({
  page,
  gateway,
}) => {
  const document = (await (await fetch(`${gateway.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<
      string,
      Record<
        string,
        {
          parameters?: { name: string }[]
          requestBody?: { content: Record<string, { schema: { $ref: string } }> }
          responses: Record<string, { description: string }>
        }
      >
    >
    webhooks: Record<string, unknown>
    components: { schemas: Record<string, { properties?: Record<string, unknown> }> }
  }
  await page.goto('/api-reference')
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
  expect(operations.length).toBeGreaterThanOrEqual(3)
  await expect(page.locator('[data-operation]')).toHaveCount(operations.length)
  for (const { call, operation } of operations) {
    const section = page.locator(`[data-operation="${call}"]`)
    const names = (await section.locator('dt code').allTextContents()) as string[]
    const fields = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.keys(document.components.schemas[schema.$ref.replace(/.*\//, '')]?.properties ?? {}),
    )
    expect(names).toEqual(
      expect.arrayContaining([...fields, ...(operation.parameters ?? []).map((parameter) => parameter.name)]),
    )
    const codes = await section.locator('tbody th code').allTextContents()
    const described = Object.values(operation.responses).flatMap(({ description }) =>
      [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code),
    )
    expect(described).toContain('invalid_key')
    expect(codes.toSorted()).toEqual(described.toSorted())
  }
  const create = page.locator('[data-operation="POST /api/v1/payments"]')
  const required = create.locator('dt', { hasText: 'Required' }).locator('code')
  await expect(required).toHaveText(['amount', 'currency', 'description'])
  const events = page.locator('[data-event]')
  await expect(events).toHaveCount(Object.keys(document.webhooks).length)
  await events.first().locator('summary').click()
  await expect(events.first().getByText('"sequence"')).toBeVisible()
})
