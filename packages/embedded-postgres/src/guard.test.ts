import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  cleanUpAfterTests,
  cleanUps,
  dataDirectory,
  kill,
  postmaster,
  query,
  start,
  startProcess,
  usedDirectory,
} from '../test/servers.ts'
import { runningServerUrl, stopOrphanedServer } from './embedded-postgres.ts'
import { serverOf } from './open-servers.ts'
import { findPostmaster } from './postmaster.ts'
import { refuseOpenDirectory } from './restore.ts'
import { signalProcess } from './signal-process.ts'

cleanUpAfterTests()

const parentOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }))

const untilGone = (dataDir: string) =>
  expect.poll(() => postmaster(dataDir), { timeout: 30_000 }).toBeUndefined()

async function runningGateway() {
  const dataDir = await usedDirectory()
  const { child, answer } = await startProcess(dataDir)
  const server = postmaster(dataDir)?.pid ?? Number.NaN
  return { dataDir, child, url: answer.url ?? '', server, guard: parentOf(server) }
}

describe('the database ends', () => {
  type Running = Awaited<ReturnType<typeof runningGateway>>
  const deaths: Record<string, (running: Running) => void> = {
    'when its gateway is killed': ({ child }) => child.kill('SIGKILL'),
    'when its guard is killed': ({ guard }) => signalProcess(guard, 'SIGKILL'),
    'when its gateway and then its guard are killed': ({ child, guard }) => {
      child.kill('SIGKILL')
      signalProcess(guard, 'SIGKILL')
    },
    'when its guard and then its gateway are killed': ({ child, guard }) => {
      signalProcess(guard, 'SIGKILL')
      child.kill('SIGKILL')
    },
    'when its gateway and every process with its name are killed': ({ child, guard }) => {
      for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) signalProcess(guard, name)
      child.kill('SIGKILL')
    },
  }
  for (const [when, die] of Object.entries(deaths)) {
    test(`${when}, and the next start has what was committed`, async () => {
      const running = await runningGateway()
      await query(running.url, 'create table kept as select 7 as value')
      const ended = once(running.child, 'exit')
      die(running)
      await untilGone(running.dataDir)
      running.child.kill('SIGKILL')
      await ended
      const { url } = await start(running.dataDir)
      expect(await query(url, 'select value from kept')).toEqual([{ value: 7 }])
    })
  }

  test('when its gateway is killed while it still starts', async () => {
    const dataDir = await usedDirectory()
    const child = await startedProcess(dataDir)
    // The lock file exists before the server answers.
    await expect.poll(() => findPostmaster(path.join(dataDir, 'postgres')), { interval: 1 }).toBeDefined()
    await kill(child, 'SIGKILL')
    await untilGone(dataDir)
    const { url } = await start(dataDir)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

async function startedProcess(dataDir: string): Promise<ChildProcess> {
  const file = path.join(import.meta.dirname, '../test/embedded-process.ts')
  const child = spawn(process.execPath, [file, dataDir], { stdio: 'ignore' })
  await once(child, 'spawn')
  return child
}

test('the guard outlives no server, and ignores the signals of a service manager that stops the gateway', async () => {
  const { dataDir, child, url, guard } = await runningGateway()
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) signalProcess(guard, name)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await kill(child, 'SIGTERM')
  expect(postmaster(dataDir)).toBeUndefined()
  await expect.poll(() => isRunning(guard)).toBe(false)
})

const isRunning = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** A server without a guard, as earlier versions started it. */
async function orphan(dataDir: string): Promise<number> {
  const { child } = await startProcess(dataDir)
  const server = postmaster(dataDir)?.pid ?? Number.NaN
  const guard = parentOf(server)
  signalProcess(guard, 'SIGSTOP')
  cleanUps.push(() => {
    signalProcess(guard, 'SIGCONT')
    signalProcess(server, 'SIGKILL')
  })
  await kill(child, 'SIGKILL')
  return server
}

test('an orphaned server is restarted, or stopped, and the server of a process that runs is not', async () => {
  const { dataDir, child } = await runningGateway()
  await expect(stopOrphanedServer(dataDir)).rejects.toThrow('already running')
  expect(postmaster(dataDir)).toBeDefined()
  await kill(child, 'SIGKILL')
  await untilGone(dataDir)

  const first = await orphan(dataDir)
  const next = await start(dataDir)
  expect(postmaster(dataDir)?.pid).not.toBe(first)
  await next.stop()

  await orphan(dataDir)
  await stopOrphanedServer(dataDir)
  expect(postmaster(dataDir)).toBeUndefined()
  expect(runningServerUrl(dataDir)).toBeUndefined()
})

describe('a server that another directory of the same path would be damaged by', () => {
  const sentence = (server: number, directory: string) =>
    `Another database server (process ${server}, started on ${directory}/postgres) still has `

  test('refuses a start and a restore at its path, and a start where its directory was moved', async () => {
    const dataDir = await usedDirectory()
    const server = await orphan(dataDir)
    const moved = `${dataDir}.moved`
    renameSync(dataDir, moved)
    cleanUps.push(() => rmSync(moved, { recursive: true, force: true }))
    const refused = async (work: Promise<unknown>, directory: string) =>
      expect(work).rejects.toThrow(`${sentence(server, dataDir)}${directory} open`)

    const link = `${moved}.link`
    symlinkSync(moved, link)
    cleanUps.push(() => rmSync(link))
    await Promise.all([
      refused(refuseOpenDirectory(dataDir), `${dataDir}/postgres`),
      refused(start(dataDir), `${dataDir}/postgres`),
      refused(start(moved), `${moved}/postgres`),
      refused(start(link), `${link}/postgres`),
    ])
    signalProcess(server, 'SIGKILL')
    await refuseOpenDirectory(dataDir)
    const { url } = await start(moved)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

test('a process that has ended and that its parent has not waited for is no running server', async () => {
  const dataDir = dataDirectory()
  const cluster = path.join(dataDir, 'postgres')
  mkdirSync(cluster)
  const parent = spawn('sh', ['-c', 'sh -c "exit 0" & echo $!; exec sleep 60'], { cwd: cluster })
  cleanUps.push(() => kill(parent, 'SIGKILL'))
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  await expect.poll(() => isRunning(Number(line))).toBe(false)
  writeFileSync(
    path.join(cluster, 'postmaster.pid'),
    `${Number(line)}\n${cluster}\n1700000000\n5432\n/tmp\n\n`,
  )
  expect(findPostmaster(cluster)).toBeUndefined()
})

test('a line of ps names the directory of a server', () => {
  expect(serverOf('  4711 postgres         /opt/my programs/bin/postgres -D /srv/my data/postgres')).toEqual({
    pid: 4711,
    directory: '/srv/my data/postgres',
  })
  expect(
    serverOf('  4712 sh               /bin/sh -c … muripo-guard /bin/postgres -D /srv/postgres'),
  ).toEqual([])
  expect(serverOf('  4713 postgres         postgres: checkpointer ')).toEqual([])
})
