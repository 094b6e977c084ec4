import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmulator, type Emulator } from 'emulate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { parseConfig } from '../config.ts'
import { oneKey } from '../crypto/encryption.ts'
import { createFiles, type Files } from './files.ts'

const key = randomBytes(32)
let dataDir: string
let objectStore: Emulator

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muripo-files-'))
  objectStore = await createEmulator({
    service: 'aws',
    port: 0,
    seed: { aws: { s3: { buckets: [{ name: 'papers' }] } } },
  })
})
afterAll(async () => {
  await objectStore.close()
  await rm(dataDir, { recursive: true })
})

const filesOf = (env: Record<string, string>, fileKey = key): Files =>
  createFiles(parseConfig({ MURIPO_DATA: dataDir, ...env }), oneKey(fileKey), systemClock)
const store = (): Record<string, string> => ({
  FILES_URL: `s3://AKID:a%2Fsecret@${new URL(objectStore.url).host}/papers/kyc?tls=off`,
})

async function bytesOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function keep(files: Files, name: string, content: Buffer): Promise<void> {
  async function* source(): AsyncGenerator<Buffer> {
    for (let at = 0; at < content.length; at += 50_000) yield content.subarray(at, at + 50_000)
  }
  const received = await files.receive(source(), 10_000_000)
  await files.keep(name, received)
  await received.discard()
}

describe.each([
  ['on the disk', (): Record<string, string> => ({})],
  ['in an object store that speaks S3', store],
])('%s', (_where, env) => {
  test('a file is read back unchanged, until it is discarded', async () => {
    const files = filesOf(env())
    for (const size of [1, 17, 300_000]) {
      const content = randomBytes(size)
      await keep(files, 'file_1', content)
      expect(await bytesOf(await files.read('file_1'))).toEqual(content)
    }
    await files.discard('file_1')
    await files.discard('file_1')
    await expect((async () => bytesOf(await files.read('file_1')))()).rejects.toThrow()
  })

  test('it opens under its own name and with its own key alone', async () => {
    const files = filesOf(env())
    await keep(files, 'file_2', Buffer.from('the passport'))
    const reading = (async () => bytesOf(await filesOf(env(), randomBytes(32)).read('file_2')))()
    await expect(reading).rejects.toThrow('damaged, or was encrypted with another master key')
  })

  test('a name that could lead elsewhere is refused', async () => {
    for (const name of ['../x', 'a/b', '.x', '', 'A', 'x'.repeat(65)]) {
      await expect(filesOf(env()).discard(name)).rejects.toThrow('not a name')
    }
  })
})

test('a published text is in the object store in plain, the last one of its name, and nowhere without an object store', async () => {
  await filesOf(store()).publish('audit_head_20261120', 'first')
  await filesOf(store()).publish('audit_head_20261120', 'last')
  const published = await fetch(`${objectStore.url}/papers/kyc/audit_head_20261120`)
  expect(await published.text()).toBe('last')
  await filesOf({}).publish('audit_head_20261120', 'text')
  expect(await readdir(dataDir, { recursive: true })).not.toContain('files/audit_head_20261120')
})

describe('the disk of this machine', () => {
  const directory = () => join(dataDir, 'files')

  test('stores only encrypted files, readable for its own user alone', async () => {
    await keep(filesOf({}), 'file_3', Buffer.from('%PDF-1.7 the passport of Tariro'))
    expect((await readFile(join(directory(), 'file_3'))).toString('latin1')).not.toMatch(
      /PDF|passport|Tariro/,
    )
    expect((await stat(directory())).mode & 0o777).toBe(0o700)
    expect((await stat(join(directory(), 'file_3'))).mode & 0o777).toBe(0o600)
  })

  test('refuses a file that was changed, cut off or exchanged', async () => {
    const files = filesOf({})
    const content = randomBytes(100_000)
    await keep(files, 'file_4', content)
    const original = await readFile(join(directory(), 'file_4'))
    const changed = Buffer.from(original)
    changed[50_000] = (changed[50_000] ?? 0) ^ 1
    for (const [name, bytes] of [
      ['changed', changed],
      ['cut_off', original.subarray(0, -1)],
      ['short', original.subarray(0, 20)],
      ['empty', Buffer.alloc(0)],
      ['moved', original],
      ['plain', content],
    ] as const) {
      await writeFile(join(directory(), name), bytes)
      await expect((async () => bytesOf(await files.read(name)))(), name).rejects.toThrow('damaged')
    }
  })

  test('holds nothing when the object store is there', async () => {
    const before = await readdir(directory())
    await keep(filesOf(store()), 'file_5', Buffer.from('elsewhere'))
    expect(await readdir(directory())).toEqual(before)
    expect(await readdir(join(dataDir, 'incoming'))).toEqual([])
  })
})
