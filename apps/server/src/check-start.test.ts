import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkStart } from './check-start.ts'
import { parseConfig } from './platform/config.ts'
import { startupError } from './startup-error.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'muripo-start-'))
afterAll(() => rmSync(folder, { recursive: true }))

const configOf = (env: Record<string, string>) =>
  parseConfig({ PORT: '0', MURIPO_DATA: path.join(folder, 'data'), ...env })
const refusalOf = async (env: Record<string, string>) => {
  const config = configOf(env)
  return checkStart(config).then(
    () => null,
    (error: unknown) => startupError(error, config),
  )
}

test.each(['PORT', 'METRICS_PORT'])(
  'a taken %s is refused before the data directory is made',
  async (name) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    expect(await refusalOf({ [name]: String(port), MURIPO_DATA: path.join(folder, 'unused') })).toBe(
      `Port ${port} is taken: stop what uses it, or set ${name} to another one`,
    )
    expect(existsSync(path.join(folder, 'unused'))).toBe(false)
    server.close()
  },
)

test('an address of another machine is refused', async () => {
  expect(await refusalOf({ HOST: '192.0.2.77' })).toBe('HOST 192.0.2.77 is not an address of this machine')
})

test('a data directory is made for its owner alone', async () => {
  expect(await refusalOf({})).toBeNull()
  expect(statSync(path.join(folder, 'data')).mode & 0o777).toBe(0o700)
})

test('a file in place of the data directory is named', async () => {
  writeFileSync(path.join(folder, 'file'), '')
  for (const dataDir of ['file', 'file/below'])
    expect(await refusalOf({ MURIPO_DATA: path.join(folder, dataDir) })).toMatch(
      /^MURIPO_DATA \S+ is not a directory: name one$/,
    )
})

test('a directory that this account may not write is named', async ({ skip }) => {
  const locked = mkdtempSync(path.join(folder, 'x'))
  chmodSync(locked, 0o500)
  skip(process.getuid?.() === 0, 'root may write everywhere')
  expect(await refusalOf({ MURIPO_DATA: locked })).toMatch(/ may not be written by this account: /)
})

test('a file system that makes no directories is named', async ({ skip }) => {
  skip(!existsSync('/proc/sys'), 'this system has no such file system')
  expect(await refusalOf({ MURIPO_DATA: '/proc/sys/muripo' })).toMatch(/^MURIPO_DATA \/proc\/sys\/muripo /)
})

test('directories above the data directory are made too', async () => {
  const dataDir = path.join(folder, 'a/b/c')
  expect(await refusalOf({ MURIPO_DATA: dataDir })).toBeNull()
  expect(statSync(dataDir).isDirectory()).toBe(true)
})
