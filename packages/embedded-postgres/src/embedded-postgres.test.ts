import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  cleanUpAfterTests,
  cleanUps,
  dataDirectory,
  kill,
  postmaster,
  query,
  quiet,
  start,
  startProcess,
  usedDirectory,
} from '../test/servers.ts'
import { binariesIn, findBinaries } from './binaries.ts'
import { openCluster, startPostmaster, stopPostmaster } from './cluster.ts'
import { runningServerUrl } from './embedded-postgres.ts'
import { signalProcess } from './signal-process.ts'
import { socketDirectory } from './socket-directory.ts'

cleanUpAfterTests()

test('a second gateway on the same data directory is refused in one line, and the first continues', async () => {
  const dataDir = await usedDirectory()
  const { url } = await start(dataDir)
  const { answer } = await startProcess(dataDir)
  expect(answer).toEqual({ error: `Muripo is already running on this data directory (${dataDir}).` })
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of two first starts at once, one runs and one is refused', async () => {
  const dataDir = dataDirectory()
  const both = await Promise.all([startProcess(dataDir), startProcess(dataDir)])
  const running = both.filter(({ answer }) => answer.url)
  expect(running).toHaveLength(1)
  expect(both.find(({ answer }) => answer.error)?.answer.error).toContain('already running')
  for (const { child } of running) await kill(child, 'SIGTERM')
  expect(postmaster(dataDir)).toBeUndefined()
})

test('a first start makes a cluster that loses nothing, speaks UTC and listens only on a socket of its own account', async () => {
  const dataDir = dataDirectory()
  const { url } = await start(dataDir)
  const [settings] = await query(
    url,
    `select ${[
      'fsync',
      'synchronous_commit',
      'full_page_writes',
      'data_checksums',
      'TimeZone',
      'server_encoding',
      'listen_addresses',
      'unix_socket_permissions',
    ]
      .map((name) => `current_setting('${name}') as "${name}"`)
      .join(', ')}`,
  )
  expect(settings).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    TimeZone: 'UTC',
    server_encoding: 'UTF8',
    listen_addresses: '',
    unix_socket_permissions: '0700',
  })
  expect(statSync(path.join(dataDir, 'socket')).mode & 0o777).toBe(0o700)
  expect(existsSync(path.join(dataDir, 'socket/.s.PGSQL.5432'))).toBe(true)
  expect(statSync(path.join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600)
  await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/)
})

test.skipIf(!existsSync('/usr/bin/psql'))('an operator looks into it with psql', async () => {
  const dataDir = await usedDirectory()
  await start(dataDir)
  const home = dataDirectory()
  symlinkSync(dataDir, path.join(home, 'data'))
  const command = `PGPASSWORD=$(cat data/postgres.password) psql -h "$PWD/data/socket" -U muripo muripo --no-align --tuples-only`
  const output = execFileSync('sh', ['-c', `${command} --command 'select current_user'`], { cwd: home })
  expect(String(output).trim()).toBe('muripo')
})

test('stop ends every process of it, can be called twice, and the next start finds the data', async () => {
  const dataDir = await usedDirectory()
  const lost: string[] = []
  const first = await start(dataDir, (reason) => lost.push(reason))
  await query(first.url, 'create table kept as select 7 as value')
  await Promise.all([first.stop(), first.stop()])
  expect(postmaster(dataDir)).toBeUndefined()
  expect(lost).toEqual([])
  const second = await start(dataDir)
  expect(await query(second.url, 'select value from kept')).toEqual([{ value: 7 }])
})

test('a postmaster that is killed is reported, and the next start recovers what was committed', async () => {
  const dataDir = await usedDirectory()
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = await start(dataDir, resolve)
  await query(first.url, 'create table kept as select 7 as value')
  signalProcess(postmaster(dataDir)?.pid ?? Number.NaN, 'SIGKILL')
  const second = await start(dataDir)
  expect(await promise).toContain('lost')
  expect(await query(second.url, 'select value from kept')).toEqual([{ value: 7 }])
})

test('gateway and database killed together, then two starts at once: one of them runs', async () => {
  const dataDir = await usedDirectory()
  const { child } = await startProcess(dataDir)
  signalProcess(postmaster(dataDir)?.pid ?? Number.NaN, 'SIGKILL')
  await kill(child, 'SIGKILL')
  const both = await Promise.all([startProcess(dataDir), startProcess(dataDir)])
  expect(both.filter(({ answer }) => answer.url)).toHaveLength(1)
  for (const { child } of both.filter(({ answer }) => answer.url)) await kill(child, 'SIGTERM')
})

test('Ctrl-C to the whole process group leaves the database running until stop', async () => {
  const dataDir = await usedDirectory()
  const { child, answer } = await startProcess(dataDir)
  const interrupted = once(child, 'message')
  process.kill(-(child.pid ?? 0), 'SIGINT')
  expect((await interrupted)[0]).toEqual({ interrupted: true })
  expect(await query(answer.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
  await kill(child, 'SIGTERM')
  expect(postmaster(dataDir)).toBeUndefined()
})

test('a lock file whose process id now belongs to another program does not stop the start', async () => {
  const dataDir = await usedDirectory()
  await (await start(dataDir)).stop()
  const lock = path.join(dataDir, 'postgres/postmaster.pid')
  // PostgreSQL recognises the ids of other accounts and of its own parents; it cannot distinguish this process from a postmaster.
  const { uid, gid } = statSync(path.dirname(lock))
  const otherProcess = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
  cleanUps.push(() => kill(otherProcess, 'SIGKILL'))
  writeFileSync(lock, `${otherProcess.pid}\n${path.dirname(lock)}\n1700000000\n5432\n\n127.0.0.1\n`, {
    mode: 0o600,
  })
  const socketLock = path.join(dataDir, 'socket/.s.PGSQL.5432.lock')
  writeFileSync(socketLock, `${otherProcess.pid}\n${path.dirname(lock)}\n1700000000\n5432\n`, { mode: 0o600 })
  chownSync(socketLock, uid, gid)
  const { url } = await start(dataDir)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect([existsSync(`${lock}.stale`), existsSync(`${socketLock}.stale`)]).toEqual([true, true])
})

describe('a data directory whose path leaves no room for the name of the socket', () => {
  function longDirectory(): string {
    const directory = path.join(dataDirectory(), `${"long, 'name' ".repeat(6)}é`)
    mkdirSync(directory)
    return directory
  }
  const shortDirectory = (dataDir: string) => {
    const directory = socketDirectory(dataDir)
    cleanUps.push(() => rmSync(directory, { recursive: true, force: true }))
    return directory
  }

  test('has its socket in a directory of the temporary directory that its account alone enters', async () => {
    const dataDir = longDirectory()
    const directory = shortDirectory(dataDir)
    expect(path.dirname(directory)).toBe(tmpdir())
    const { servingUrl } = await start(dataDir)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(runningServerUrl(dataDir)).toBe(servingUrl)
    expect(await query(servingUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('is refused when another account has taken the name of that directory', async () => {
    const dataDir = longDirectory()
    const directory = shortDirectory(dataDir)
    symlinkSync(dataDir, directory)
    await expect(start(dataDir)).rejects.toThrow(`${directory} is needed for the database's socket`)
  })
})

test('a path with commas and quotes has its socket below it', async () => {
  const dataDir = path.join(dataDirectory(), `a, 'b' é`)
  const { url } = await start(dataDir)
  expect(await query(url, "select current_setting('unix_socket_directories') <> '' as set")).toEqual([
    { set: true },
  ])
  expect(existsSync(path.join(dataDir, 'socket/.s.PGSQL.5432'))).toBe(true)
})

test('the remains of an interrupted initialisation are removed', async () => {
  const dataDir = dataDirectory()
  const half = path.join(dataDir, 'postgres.new-999999999')
  mkdirSync(path.join(half, 'base'), { recursive: true })
  const { url } = await start(dataDir)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(existsSync(half)).toBe(false)
})

describe.runIf(process.getuid?.() === 0)('as root', () => {
  for (const mode of [0o755, 0o700]) {
    test(`the database runs as another account, below a directory of mode ${mode.toString(8)}`, async () => {
      const dataDir = dataDirectory()
      chmodSync(dataDir, mode)
      const { url } = await start(dataDir)
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(statSync(path.join(dataDir, 'postgres')).uid).not.toBe(0)
    })
  }

  test("PostgreSQL's own programs may lie below a directory that only root enters", async () => {
    // A file system in memory may refuse to execute a file.
    const dataDir = dataDirectory(tmpdir())
    const { postgres } = await findBinaries()
    const native = path.join(dataDir, 'programs/native')
    cpSync(path.dirname(path.dirname(postgres)), native, { recursive: true, verbatimSymlinks: true })
    const cluster = await openCluster(dataDir, binariesIn(path.join(native, 'bin')), quiet.log)
    expect(await startPostmaster(cluster)).toMatchObject({ isReady: true })
    await stopPostmaster(cluster)
    expect(postmaster(dataDir)).toBeUndefined()
  })
})
