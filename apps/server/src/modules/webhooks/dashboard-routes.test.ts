import { describe, expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { makeReceiver, makeRelay } from './factory.ts'

const hook = { url: 'http://127.0.0.1:9/hooks', events: ['payment.completed', 'payment.failed'] }

const test = base.extend(
  'requestDashboard',
  ({ app, client }) =>
    (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
      app.inject({
        method,
        url: `/v1/applications/${client.applicationId}/webhooks${path}`,
        headers: client.withSession,
        ...(payload && { payload }),
      }),
)

describe('/v1/applications/{id}/webhooks', () => {
  test('a test event is delivered like all others, is shown with request and response, and is resent', async ({
    world,
    requestDashboard,
  }) => {
    const receiver = await makeReceiver((reply) =>
      reply.writeHead(500, { 'x-secret': 'kept out' }).end('broken'),
    )
    const made = await requestDashboard('POST', '', { ...hook, url: receiver.url })
    expect(made.statusCode).toBe(201)
    const { secret, ...endpoint } = made.json()
    expect(secret).toMatch(/^whsec_/)
    expect((await requestDashboard('GET', '')).json()).toEqual({ webhooks: [endpoint] })

    const sent = await requestDashboard('POST', `/${endpoint._id}/test`)
    expect(sent.statusCode).toBe(202)
    const { eventId } = sent.json()
    expect(sent.json()).toMatchObject({ type: 'webhook.test', status: 'pending', attempts: 0 })
    const relay = makeRelay(world.ctx)
    const details = () => requestDashboard('GET', `/${endpoint._id}/deliveries/${eventId}`)
    await expect.poll(async () => (await details()).json().attempts).toBe(1)
    const shown = (await details()).json()
    expect(shown).toMatchObject({
      status: 'pending',
      responseStatus: 500,
      error: 'refused',
      url: receiver.url,
      requestBody: receiver.received[0]?.body,
      log: [
        {
          number: 1,
          responseStatus: 500,
          responseBody: 'broken',
          responseCut: false,
          requestHeaders: {
            'webhook-id': eventId,
            'webhook-signature': receiver.received[0]?.headers['webhook-signature'],
          },
        },
      ],
    })
    expect(JSON.stringify(shown)).not.toContain('kept out')

    receiver.answer = (reply) => reply.writeHead(204).end()
    const again = await requestDashboard('POST', `/${endpoint._id}/deliveries/${eventId}/resend`)
    expect(again.statusCode).toBe(202)
    world.ctx.clock.advance(6500)
    await expect.poll(async () => (await details()).json().status).toBe('delivered')
    await relay.stop()
    await receiver.close()
    const { deliveries, nextCursor } = (await requestDashboard('GET', `/${endpoint._id}/deliveries`)).json()
    expect(deliveries).toMatchObject([
      { eventId, status: 'delivered', attempts: 2, responseStatus: 204, error: null },
    ])
    expect(nextCursor).toBeNull()
    expect(
      (await requestDashboard('GET', `/${endpoint._id}/deliveries?status=failed`)).json().deliveries,
    ).toEqual([])
  })

  test('deliveries are listed page by page', async ({ requestDashboard }) => {
    const { _id } = (await requestDashboard('POST', '', hook)).json()
    for (let count = 0; count < 3; count += 1) await requestDashboard('POST', `/${_id}/test`)
    const first = (await requestDashboard('GET', `/${_id}/deliveries?limit=2`)).json()
    expect(first.deliveries).toHaveLength(2)
    const rest = (
      await requestDashboard('GET', `/${_id}/deliveries?limit=2&cursor=${first.nextCursor}`)
    ).json()
    expect(rest.deliveries).toHaveLength(1)
    expect(rest.nextCursor).toBeNull()
  })

  test('a disabled endpoint receives nothing, and receives events again after it is enabled', async ({
    requestDashboard,
  }) => {
    const { _id } = (await requestDashboard('POST', '', hook)).json()
    const { eventId } = (await requestDashboard('POST', `/${_id}/test`)).json()
    expect((await requestDashboard('PATCH', `/${_id}`, { status: 'disabled' })).json().status).toBe(
      'disabled',
    )
    for (const path of ['test', `deliveries/${eventId}/resend`]) {
      const refused = await requestDashboard('POST', `/${_id}/${path}`)
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'webhook_disabled'])
    }
    expect((await requestDashboard('PATCH', `/${_id}`, { status: 'active' })).json().status).toBe('active')
    expect((await requestDashboard('POST', `/${_id}/test`)).statusCode).toBe(202)
  })

  test('while a secret is rotated, the endpoint shows the end of the old one', async ({
    requestDashboard,
  }) => {
    const { _id } = (await requestDashboard('POST', '', hook)).json()
    const rotated = (await requestDashboard('POST', `/${_id}/rotate-secret`)).json()
    expect(rotated.secret).toMatch(/^whsec_/)
    const [shown] = (await requestDashboard('GET', '')).json().webhooks
    expect(shown.previousSecretExpiresAt).toBe(rotated.previousSecretExpiresAt)
    expect(JSON.stringify(shown)).not.toContain('whsec_')
  })
})
