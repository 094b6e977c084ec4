import { expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { createCheckout } from '../../checkout/index.ts'
import { makeSession } from '../../identity/factory.ts'
import { makePayment } from '../../payments/factory.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"></path></svg>'
const encoded = (text: string) => Buffer.from(text).toString('base64')

const test = base.extend('brand', async ({ world, app, shop }) => {
  const authorization = `Bearer ${(await makeSession(world.ctx, shop.merchantId)).authToken}`
  const url = `/v1/applications/${shop.applicationId}/brand`
  return {
    async save(payload: object) {
      const response = await app.inject({ method: 'PUT', url, headers: { authorization }, payload })
      return { status: response.statusCode, body: response.json() }
    },
    async ofPage() {
      const { accountId, id } = await makePayment(world.ctx, shop.owner)
      const token = world.ctx.checkoutLinks.tokenOf(accountId, id)
      const view = await createCheckout(world.ctx).view(token, '203.0.113.7')
      return view && 'brand' in view ? view.brand : null
    },
  }
})

test('the payer’s page has the shop’s colour and logo, until they are removed', async ({ app, brand }) => {
  expect(await brand.ofPage()).toEqual({ colour: null, logoPath: null })
  const saved = await brand.save({
    colour: ' #12306B ',
    logo: encoded(svg.replace('<path', '<path onload="x()"')),
  })
  expect(saved).toMatchObject({ status: 200, body: { brandColour: '#12306b' } })
  const { logoPath } = saved.body
  expect(await brand.ofPage()).toEqual({ colour: '#12306b', logoPath })

  expect((await brand.save({ colour: '' })).body).toMatchObject({ brandColour: null, logoPath })
  expect((await brand.save({ colour: '', logo: null })).body).toMatchObject({
    brandColour: null,
    logoPath: null,
  })
  expect((await app.inject(logoPath)).statusCode).toBe(404)
})

test('a logo is served as a file without rights', async ({ app, brand }) => {
  const { logoPath } = (
    await brand.save({ colour: '', logo: encoded(svg.replace('<path', '<script/><path')) })
  ).body
  const response = await app.inject(logoPath)
  expect([response.statusCode, response.body]).toEqual([200, svg])
  expect(response.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  })
})

test.for([
  [
    'colour',
    { colour: '#ffb020' },
    'White text cannot be read on this colour. Please choose a darker one',
    'colourTooLight',
  ],
  ['colour', { colour: 'red' }, 'The colour must be written like #12306b', 'colourNotValid'],
  ['logo', { colour: '', logo: '' }, /must be an SVG drawing/, 'logoNotPicture'],
  ['logo', { colour: '', logo: encoded('<html/>') }, /must be an SVG drawing/, 'logoNotPicture'],
  ['logo', { colour: '', logo: encoded('x'.repeat(4097)) }, 'The logo must be at most 4 kB', 'logoTooLarge'],
] as const)(
  'an unsuitable %s is refused with an error beside its field',
  async ([field, body, message, code], { brand }) => {
    const refused = await brand.save(body)
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual([
      { field, message: expect.stringMatching(message), reason: { code, values: {} } },
    ])
    expect(await brand.ofPage()).toEqual({ colour: null, logoPath: null })
  },
)
