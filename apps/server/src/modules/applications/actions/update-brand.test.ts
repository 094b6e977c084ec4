import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeApp } from '../../../../test/app.ts'
import { freshShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { createCheckout } from '../../checkout/index.ts'
import { makeSession } from '../../identity/factory.ts'
import { makePayment } from '../../payments/factory.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"></path></svg>'
const encoded = (text: string) => Buffer.from(text).toString('base64')

let world: World
let app: FastifyInstance
let shop: Shop
let authorization: string

beforeAll(async () => {
  world = await makeWorld()
  app = await makeApp(world.ctx)
})
afterAll(async () => {
  await app.close()
  await world.ctx.close()
})
beforeEach(async () => {
  shop = await freshShop(world)
  authorization = `Bearer ${(await makeSession(world.ctx, shop.merchantId)).authToken}`
})

async function save(payload: object) {
  const response = await app.inject({
    method: 'PUT',
    url: `/v1/applications/${shop.applicationId}/brand`,
    headers: { authorization },
    payload,
  })
  return { status: response.statusCode, body: response.json() }
}
async function payersBrand() {
  const { accountId, id } = await makePayment(world.ctx, shop.owner)
  const token = world.ctx.checkoutLinks.tokenOf(accountId, id)
  const view = await createCheckout(world.ctx).view(token, '203.0.113.7')
  return view && 'brand' in view ? view.brand : null
}

test('the payer’s page has the shop’s colour and logo, until they are removed', async () => {
  expect(await payersBrand()).toEqual({ colour: null, logoPath: null })
  const saved = await save({ colour: ' #12306B ', logo: encoded(svg.replace('<path', '<path onload="x()"')) })
  expect(saved).toMatchObject({ status: 200, body: { brandColour: '#12306b' } })
  const { logoPath } = saved.body
  expect(await payersBrand()).toEqual({ colour: '#12306b', logoPath })

  expect((await save({ colour: '' })).body).toMatchObject({ brandColour: null, logoPath })
  expect((await save({ colour: '', logo: null })).body).toMatchObject({ brandColour: null, logoPath: null })
  expect((await app.inject(logoPath)).statusCode).toBe(404)
})

test('a logo is served as a file without rights', async () => {
  const { logoPath } = (await save({ colour: '', logo: encoded(svg.replace('<path', '<script/><path')) }))
    .body
  const response = await app.inject(logoPath)
  expect([response.statusCode, response.body]).toEqual([200, svg])
  expect(response.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  })
})

test.each([
  ['colour', { colour: '#ffb020' }, 'White text cannot be read on this colour. Please choose a darker one'],
  ['colour', { colour: 'red' }, 'The colour must be written like #12306b'],
  ['logo', { colour: '', logo: encoded('<html/>') }, /must be an SVG drawing/],
  ['logo', { colour: '', logo: encoded('x'.repeat(4097)) }, 'The logo must be at most 4 kB'],
])('an unfit %s is refused in a sentence beside its field', async (field, body, message) => {
  const refused = await save(body)
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual([{ field, message: expect.stringMatching(message) }])
  expect(await payersBrand()).toEqual({ colour: null, logoPath: null })
})
