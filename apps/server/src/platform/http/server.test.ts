import type { RouteSpec } from '@muripo/contract/route'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { QueueFull } from '../db/failures.ts'
import { createLog } from '../log.ts'
import { createHttp } from './server.ts'

let app: FastifyInstance

beforeAll(() => {
  app = createHttp(parseConfig({}), createLog('silent'))
  app.get('/failing/:code', ({ params }) => {
    const { code } = params as { code: string }
    throw Object.assign(new Error('refused'), { code })
  })
  app.route({
    method: ['GET', 'POST'],
    url: '/queue-full',
    // As a route whose contract does not list the code.
    config: { spec: { errors: [] } as unknown as RouteSpec },
    handler: () => {
      throw new QueueFull()
    },
  })
})
afterAll(() => app.close())

test.each(['40P01', '40001', '55P03', '57014', '57P01', 'ETIMEDOUT', 'ENOTFOUND'])(
  'a database that says %s makes the service unavailable for a moment',
  async (code) => {
    const answer = await app.inject(`/failing/${code}`)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
    expect(answer.json()).toMatchObject({ code: 'service_unavailable' })
  },
)

test('work that the queue of the database refuses is overloaded for a read, and promises nothing for a write', async () => {
  const read = await app.inject('/queue-full')
  expect([read.statusCode, read.headers['retry-after']]).toEqual([503, '1'])
  expect(read.json()).toMatchObject({ code: 'overloaded' })
  const write = await app.inject({ method: 'POST', url: '/queue-full' })
  expect([write.statusCode, write.headers['retry-after']]).toEqual([503, '1'])
  expect(write.json()).toMatchObject({ code: 'service_unavailable' })
})

test('a fault of ours is told without detail', async () => {
  const answer = await app.inject('/failing/23505')
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toMatchObject({ code: 'internal_error' })
  expect(answer.body).not.toContain('refused')
})
