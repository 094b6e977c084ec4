import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PDF_MAX_BYTES } from '@muripo/contract/constants'
import { pdfOf } from '@muripo/testing/pdf'
import type { FastifyInstance } from 'fastify'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { withoutAdvance } from '../../../../test/controlled-timeouts.ts'
import { statusOf, uploadServer } from '../../../../test/upload-server.ts'
import { makeIdentityApp } from '../factory.ts'

const { ctx, url, filesIn, storedFiles, expectNothingStored } = await uploadServer()

const SAMPLE_BYTES = 2 * 1024 * 1024

/** Sends the content in small chunks of one buffer, as fast as the socket accepts them. Calls `sample` between large parts. */
async function sendSlowly(content: Buffer, sample: () => void = () => {}): Promise<number> {
  const outgoing = httpRequest(url, {
    method: 'POST',
    headers: { 'x-api-key': ctx.keys.uploadKey, 'content-type': 'multipart/form-data; boundary=b' },
  })
  const status = statusOf(outgoing)
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n')
    for (let at = 0; at < content.length; at += 16_384) {
      if (at % SAMPLE_BYTES === 0) sample()
      yield content.subarray(at, at + 16_384)
    }
    yield Buffer.from('\r\n--b--\r\n')
  }
  await pipeline(pieces, outgoing)
  return (await status) ?? 0
}

test('buffers no upload: five concurrent files of nearly 10 MiB use less memory than three', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = () => {
    collect()
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    return arrayBuffers + heapUsed
  }
  const content = pdfOf(PDF_MAX_BYTES - 1)
  // The first upload loads the modules that all of them use.
  expect(await sendSlowly(content)).toBe(201)
  const before = held()
  const samples: number[] = []
  const sample = () => void samples.push(held())
  const statuses = await Promise.all(Array.from({ length: 5 }, () => sendSlowly(content, sample)))
  expect(statuses).toEqual(Array(5).fill(201))
  expect(samples.length).toBeGreaterThan(5)
  expect(Math.max(...samples) - before).toBeLessThan(3 * PDF_MAX_BYTES)
  expect(await filesIn('files')).toHaveLength(6)
  expect(await filesIn('incoming')).toEqual([])
})

describe('a slow sender', () => {
  const GRACE_MS = 1500
  let slowApp: FastifyInstance
  let port: number

  beforeAll(async () => {
    slowApp = await makeIdentityApp(ctx, { graceMs: GRACE_MS, bytesPerSecond: 10_000_000 })
    await slowApp.listen({ port: 0, host: '127.0.0.1' })
    port = (slowApp.server.address() as AddressInfo).port
  })
  afterAll(() => slowApp.close())
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each([
    ['that stops in the middle', ''],
    ['that sends a byte now and then', 'x'],
  ])('%s is answered, disconnected, and leaves nothing', async (_what, byte) => {
    const outgoing = httpRequest(`http://127.0.0.1:${port}/v1/files/upload`, {
      method: 'POST',
      headers: {
        'x-api-key': ctx.keys.uploadKey,
        'content-length': '5000000',
        'content-type': 'multipart/form-data; boundary=b',
      },
    })
    const closed = new Promise<void>((resolve) => outgoing.on('close', resolve))
    const status = statusOf(outgoing)
    outgoing.on('error', () => undefined)
    outgoing.on('response', (response) => response.resume())
    outgoing.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n')
    outgoing.write(pdfOf(300_000))
    await expect.poll(storedFiles, withoutAdvance).toHaveLength(1)
    let elapsedMs = 0
    const clock = setInterval(() => {
      // A byte that meets the closed connection would make the sender's socket fail before it has read the answer.
      if (elapsedMs < GRACE_MS - 100) outgoing.write(byte)
      elapsedMs += 20
      vi.advanceTimersByTime(20)
    }, 1)
    onTestFinished(() => clearInterval(clock))
    expect(await status).toBe(408)
    await closed
    await expectNothingStored()
  })
})

test('on a poor network is accepted as long as bytes arrive', async () => {
  const patient = await makeIdentityApp(ctx, { graceMs: 1000, bytesPerSecond: 10_000 })
  await patient.listen({ port: 0, host: '127.0.0.1' })
  const { port } = patient.server.address() as AddressInfo
  const outgoing = httpRequest(`http://127.0.0.1:${port}/v1/files/upload`, {
    method: 'POST',
    headers: { 'x-api-key': ctx.keys.uploadKey, 'content-type': 'multipart/form-data; boundary=b' },
  })
  const status = statusOf(outgoing)
  const head = Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n')
  const content = pdfOf(250_000)
  // The first bytes extend the grace period by many seconds, in which a slow machine may pause. The others take longer than that period.
  outgoing.write(Buffer.concat([head, content.subarray(0, 100_000)]))
  for (let at = 100_000; at < content.length; at += 6000) {
    outgoing.write(content.subarray(at, at + 6000))
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  outgoing.end('\r\n--b--\r\n')
  expect(await status).toBe(201)
  await patient.close()
})
