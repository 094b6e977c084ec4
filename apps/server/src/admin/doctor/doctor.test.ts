import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificateFor } from '@muripo/testing/certificate'
import { openMailServer } from '@muripo/testing/mail-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asAdmin, inDatabase } from '../../../test/admin.ts'
import { type PrivateCluster, startPrivateCluster } from '../../../test/private-cluster.ts'
import { productionEnv } from '../../../test/production-env.ts'
import { prepareDatabase } from '../../platform/jobs/prepare-database.ts'
import { createLog } from '../../platform/log.ts'
import { runCommand } from '../run-command.ts'
import { codeOf } from './doctor.ts'
import { ok, warning } from './finding.ts'

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

const certificate = await certificateFor('localhost')
const roots = getCACertificates('default')
setDefaultCACertificates([...roots, certificate.cert])
afterAll(() => setDefaultCACertificates(roots))

/** A server that closes each connection after the handshake. */
async function openTls(of: { readonly cert: string; readonly key: string }): Promise<string> {
  const server = createTlsServer(of, (socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, () => resolve()))
  afterAll(() => server.close())
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

const isOfEcocash = ([name]: readonly [string, string]) => name.startsWith('ECOCASH')
const ecocash = Object.fromEntries(Object.entries(productionEnv).filter(isOfEcocash))

let cluster: PrivateCluster
let directory: string
let env: Record<string, string>

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'muripo-doctor-'))
  cluster = await startPrivateCluster()
  await prepareDatabase(cluster.url, cluster.servingUrl, createLog('silent'))
  const mail = await openMailServer({ certificate, tls: 'implicit' })
  afterAll(() => mail.close())
  env = {
    ...productionEnv,
    DATABASE_URL: cluster.servingUrl,
    MURIPO_DATA: directory,
    SMTP_URL: mail.url,
    CONTACT_EMAIL: 'people@gateway.example',
    PUBLIC_URL: await openTls(certificate),
    PROVIDER_ACCOUNTS: 'database',
    PATH: await pgBackRestAt(daysAgo(0.5)),
  }
  for (const name of Object.keys(ecocash)) delete env[name]
})
afterAll(async () => {
  await cluster.stop()
  await rm(directory, { recursive: true })
})

/** A backup with the manifest of a time, and without its files. */
async function backUp(backups: string, at: Date): Promise<void> {
  const name = at.toISOString().replaceAll(/[-:.]/g, '')
  const place = path.join(backups, 'base', name)
  await mkdir(place, { recursive: true })
  const manifest = {
    version: 1,
    startedAt: at.toISOString(),
    finishedAt: at.toISOString(),
    firstWal: '000000010000000000000001',
    files: {},
    uploads: {},
    masterKey: { fingerprint: '0', kept: 'apart' },
  }
  await writeFile(path.join(place, 'manifest.json'), JSON.stringify(manifest))
}

/** A path with a program that prints what `pgbackrest info` prints for backups of these times. */
async function pgBackRestAt(...times: readonly Date[]): Promise<string> {
  const backup = times.map((at) => ({ type: 'full', timestamp: { stop: Math.floor(at.getTime() / 1000) } }))
  const info = JSON.stringify([{ name: 'muripo', status: { code: 0, message: 'ok' }, backup }])
  const place = await mkdtemp(path.join(directory, 'bin-'))
  await writeFile(path.join(place, 'pgbackrest'), `#!/bin/sh\necho '${info}'\n`)
  await chmod(path.join(place, 'pgbackrest'), 0o755)
  return `${place}:/usr/bin:/bin`
}

const terminal = { account: 'till', machine: 'counter' }
async function doctor(change: Readonly<Record<string, string>> = {}) {
  const { code, output } = await runCommand(['doctor'], { ...terminal, env: { ...env, ...change } })
  const lines = output.split('\n').map((line) => /^(\w+) +(.+?) {2,}(.*)$/.exec(line) ?? [])
  return { code, lines: lines.map(([, state, check, text]) => ({ state, check, text })) }
}
/** The lines of one check under a changed environment, and the exit code of the whole. */
async function found(check: string, change: Readonly<Record<string, string>>) {
  const { code, lines } = await doctor(change)
  return {
    code,
    lines: lines.filter((line) => line.check === check).map(({ state, text }) => `${state}: ${text}`),
  }
}

describe('a doctor of a deployment', () => {
  test('has one line for each check, and exits 0 when all are well', async () => {
    const own = Buffer.from(`${ecocash.ECOCASH_USERNAME}:${ecocash.ECOCASH_PASSWORD}`).toString('base64')
    const wallet = createHttpsServer(certificate, ({ headers }, response) => {
      if (headers.authorization === `Basic ${own}`) response.writeHead(200).end('{"clientCorrelator":null}')
      else response.writeHead(401).end('{}')
    })
    await new Promise<void>((resolve) => wallet.listen(0, () => resolve()))
    afterAll(() => wallet.close())
    const { code, lines } = await doctor({
      ...ecocash,
      PROVIDER_ACCOUNTS: 'environment',
      ECOCASH_URL: `https://localhost:${(wallet.address() as AddressInfo).port}`,
    })
    expect(lines.map(({ state, check }) => `${check} ${state}`)).toEqual([
      'configuration ok',
      'database ok',
      'migrations ok',
      'clock ok',
      'master key ok',
      'operators ok',
      'provider ecocash ok',
      'test keys ok',
      'mail ok',
      'disk ok',
      'backup ok',
      'certificate ok',
    ])
    expect(code).toBe(0)
  })

  test('exits 1 with a warning, and 2 with an error', async () => {
    expect(codeOf([ok('disk', ''), warning('backup', '')])).toBe(1)
    expect((await doctor()).code).toBe(2)
  })

  test('prints JSON for scripts, with the same code', async () => {
    const { code, output } = await runCommand(['doctor', '--json'], { ...terminal, env })
    const report = JSON.parse(output)
    expect(report.code).toBe(code)
    expect(report.findings).toContainEqual({
      check: 'migrations',
      state: 'ok',
      text: 'the database has the schema of this version',
    })
    // The findings contain no secret of the environment.
    expect(output).not.toContain(env.MURIPO_MASTER_KEY)
    expect(output).not.toContain(new URL(env.SMTP_URL ?? '').password)
  })

  test('reports each problem of the configuration, and checks nothing else', async () => {
    const { code, lines } = await doctor({ PORT: 'x', MURIPO_MASTER_KEY: 'short' })
    expect(code).toBe(2)
    expect(lines.map(({ state, check }) => `${state} ${check}`)).toEqual([
      'error configuration',
      'error configuration',
    ])
  })
})

describe('the database', () => {
  test('that is away', async () => {
    expect(await found('database', { DATABASE_URL: 'postgres://a:b@127.0.0.1:9/c' })).toEqual({
      code: 2,
      lines: [
        'error: The database of DATABASE_URL cannot be reached (ECONNREFUSED): check its host and port',
      ],
    })
  })

  test('that is served as a superuser, and with a setting that is only a warning', async () => {
    const { lines } = await found('database', { DATABASE_URL: cluster.url })
    expect(lines).toEqual([expect.stringMatching(/^error: The database has superuser = on/)])
    await cluster.execute("alter role muripo_serving set log_error_verbosity = 'verbose'")
    try {
      const warned = await found('database', {})
      expect(warned.lines).toEqual([
        expect.stringMatching(/^warning: The database has log_error_verbosity = /),
      ])
    } finally {
      await cluster.execute('alter role muripo_serving reset log_error_verbosity')
    }
  })

  test('of an earlier version', async () => {
    await asAdmin(cluster.url, 'create database empty owner muripo')
    const { code, lines } = await found('migrations', {
      DATABASE_URL: inDatabase(cluster.servingUrl, 'empty'),
    })
    expect(code).toBe(2)
    expect(lines).toEqual([expect.stringMatching(/^error: \d+ are pending, from 0001_shared on: start this/)])
  })

  test('whose clock differs', async () => {
    await cluster.execute(`alter role muripo_serving set "muripo.now" = '2026-01-01'`)
    try {
      const { code, lines } = await found('clock', {})
      expect(code).toBe(2)
      expect(lines).toEqual([expect.stringMatching(/^error: The clock of this machine is .* s ahead of/)])
    } finally {
      await cluster.execute('alter role muripo_serving reset "muripo.now"')
    }
  })
})

describe('the mail server', () => {
  test('without an address for answers is a warning', async () => {
    const { lines } = await found('mail', { CONTACT_EMAIL: '' })
    expect(lines).toEqual([expect.stringMatching(/^warning: CONTACT_EMAIL is not set/)])
  })

  test('that refuses the password', async () => {
    const url = new URL(env.SMTP_URL ?? '')
    url.password = 'another'
    const { code, lines } = await found('mail', { SMTP_URL: url.href })
    expect(code).toBe(2)
    expect(lines).toEqual([
      expect.stringMatching(/^error: localhost:\d+: the mail server refused the connection \(EAUTH 535\)$/),
    ])
  })

  test('that is away', async () => {
    const { lines } = await found('mail', { SMTP_URL: 'smtps://localhost:9' })
    expect(lines).toEqual([
      expect.stringMatching(/^error: localhost:9: the mail server refused the connection \(ESOCKET/),
    ])
  })
})

describe('a provider', () => {
  const account = (url: string) => ({
    PROVIDER_ACCOUNTS: 'environment',
    NODE_ENV: 'development',
    MODE: 'test',
    PUBLIC_URL: 'http://localhost:3000',
    ...ecocash,
    ECOCASH_URL: url,
  })

  test.each([
    ['that refuses the credentials', 401, /^error: refuses the credentials/],
    ['that fails', 500, /^warning: did not answer as expected/],
  ])('%s', async (_what, status, line) => {
    const server = createServer((_request, response) => response.writeHead(status).end('{}'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as AddressInfo
    try {
      const { lines } = await found('provider ecocash', account(`http://127.0.0.1:${port}`))
      expect(lines).toEqual([expect.stringMatching(line)])
    } finally {
      server.close()
    }
  })
})

describe('a certificate that is refused', () => {
  const untrusted = 'its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of its authority'

  test.each([
    ['an unknown authority', {}, 'localhost', untrusted],
    ['another host', {}, 'mail.example', /its certificate is (not trusted|for another host)/],
  ] as const)('of the mail server, with %s', async (_what, validity, name, sentence) => {
    const server = await openMailServer({
      certificate: await certificateFor(name, validity),
      tls: 'implicit',
    })
    const url = new URL(server.url)
    url.hostname = 'localhost'
    try {
      const { code, lines } = await found('mail', { SMTP_URL: url.href })
      expect(code).toBe(2)
      expect(lines).toEqual([expect.stringMatching(sentence)])
    } finally {
      await server.close()
    }
  })

  test('of a provider', async () => {
    const server = createHttpsServer(await certificateFor('localhost'), (_request, response) =>
      response.end(),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as AddressInfo
    try {
      const { lines } = await found('provider ecocash', {
        PROVIDER_ACCOUNTS: 'environment',
        ...ecocash,
        ECOCASH_URL: `https://localhost:${port}`,
      })
      expect(lines).toEqual([expect.stringContaining(`EcoCash could not be reached: ${untrusted}`)])
    } finally {
      server.close()
    }
  })
})

describe('the disk', () => {
  test.each([
    ['that is full', { MIN_FREE_DISK_MIB: '999999999' }, /^error: .* free in .*, below MIN_FREE_DISK_MIB/],
    ['of a directory that does not exist', { MURIPO_DATA: '/nowhere' }, /^error: \/nowhere does not exist/],
  ])('%s', async (_what, change, line) => {
    const { code, lines } = await found('disk', change)
    expect(code).toBe(2)
    expect(lines).toEqual([expect.stringMatching(line)])
  })
})

describe('the newest backup', () => {
  test.each([
    [1.5, /^warning: the newest is of .*, 1 day ago: the last one is missing/],
    [4, /^error: the newest is of .*, 4 days ago: no backup has succeeded for days/],
  ])('of %d days ago, of pgBackRest', async (days, line) => {
    const { lines } = await found('backup', { PATH: await pgBackRestAt(daysAgo(days + 3), daysAgo(days)) })
    expect(lines).toEqual([expect.stringMatching(line)])
  })

  test('of a pgBackRest without backups, and on a machine without it', async () => {
    expect((await found('backup', { PATH: await pgBackRestAt() })).lines).toEqual([
      'error: pgBackRest has no complete backup',
    ])
    expect((await found('backup', { PATH: '/nowhere' })).lines).toEqual([
      'warning: pgBackRest is not on this machine: look at the age of the backups where the database is',
    ])
  })

  test('of the embedded database', async () => {
    const embedded = { DATABASE_URL: '', MURIPO_DATA: cluster.dataDir }
    const inDirectory = async (BACKUP_DIR: string) =>
      (await found('backup', { ...embedded, BACKUP_DIR })).lines
    expect(await inDirectory('')).toEqual([expect.stringMatching(/^warning: BACKUP_DIR is not set/)])
    expect(await inDirectory('/nowhere')).toEqual(['error: there is no complete backup in /nowhere'])
    const backups = path.join(directory, 'old')
    await backUp(backups, daysAgo(4))
    expect(await inDirectory(backups)).toEqual([expect.stringMatching(/^error: .*, 4 days ago/)])
    await backUp(backups, daysAgo(0.1))
    expect(await inDirectory(backups)).toEqual([expect.stringMatching(/^ok: .*, 2 hours ago/)])
  })
})

describe('the certificate of PUBLIC_URL', () => {
  const certificateOf = async (notAfterDate: Date, isTrusted = true) => {
    const made = await certificateFor('localhost', { notBeforeDate: daysAgo(30), notAfterDate })
    // OpenSSL uses only the first of two certificates with one name.
    setDefaultCACertificates([...roots, ...(isTrusted ? [made.cert] : [])])
    return (await found('certificate', { PUBLIC_URL: await openTls(made) })).lines
  }

  test('that ends soon', async () => {
    expect(await certificateOf(daysAgo(-5.5))).toEqual([
      expect.stringMatching(/^warning: https:\/\/localhost:\d+: valid until .*, in 5 days: renew it/),
    ])
  })

  test('that has expired', async () => {
    expect(await certificateOf(daysAgo(1))).toEqual([expect.stringMatching(/^error: .*: expired on 20/)])
  })

  test('that browsers refuse', async () => {
    expect(await certificateOf(daysAgo(-300), false)).toEqual([
      expect.stringMatching(/^error: .*: browsers refuse it \(DEPTH_ZERO_SELF_SIGNED_CERT\)/),
    ])
  })

  test('of a server that is away', async () => {
    expect((await found('certificate', { PUBLIC_URL: 'https://localhost:9' })).lines).toEqual([
      expect.stringMatching(/^error: https:\/\/localhost:9 cannot be reached/),
    ])
  })
})
