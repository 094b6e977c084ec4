import path from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { stopOrphanedServer } from '@muripo/embedded-postgres/embedded-postgres'
import { banner } from './banner.ts'
import { type Child, type Ending, inWords, isReady, startChild } from './child.ts'
import { repository } from './repository.ts'
import { buildWeb, type WebBuild } from './web-build.ts'

const files = {
  simulator: path.join(repository, 'apps/simulator/src/main.ts'),
  gateway: path.join(repository, 'apps/server/src/main.ts'),
}
const deadlineMs = 30_000
const readyTimeoutMs = 120_000

/** A task in a separate process, on the data directory of a gateway that has not started yet. */
export interface Preparation {
  readonly name: string
  readonly file: string
}

/** Messages of the child process. */
export interface Prepared {
  readonly type: 'prepared'
  /** For the banner. */
  readonly rows: readonly (readonly [name: string, value: string])[]
}

/** checked: the gateway can use its address and its data directory, so that the other processes are started. */
type Message =
  | { type: 'checked' }
  | { type: 'ready'; url: string; drainMs: number }
  | { type: 'fatal'; message: string }

/** Starts the processes of a gateway in parallel, and stops them in order: first the gateway, then the simulator. */
export class Supervisor {
  readonly #environment: NodeJS.ProcessEnv
  readonly #startedAt = performance.now()
  #simulator: Child | undefined
  #gateway: Child | undefined
  readonly #preparation: Preparation | undefined
  #preparing: Child | undefined
  /** The time for which the gateway continues to serve before it stops. */
  #drainMs = 0
  #rows: Prepared['rows'] = []
  #build: WebBuild | undefined
  #stopping: Promise<void> | undefined
  #bannerShown = false
  /** Children that are meant to end. */
  readonly #dismissed = new Set<Child>()

  constructor(environment: NodeJS.ProcessEnv, preparation?: Preparation) {
    this.#environment = environment
    this.#preparation = preparation
  }

  async start(): Promise<void> {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      // npm forwards a key press that the terminal has already sent to this process. Repeated signals change nothing.
      process.on(signal, () => void this.stop(0))
    }
    const built = this.buildWeb()
    const rows = await this.#prepare()
    if (rows === undefined) return
    this.#rows = rows
    this.startGateway()
    await built
    this.#reportWebReady()
  }

  startSimulator(): void {
    this.#simulator = this.#watch(startChild('simulator', files.simulator, this.#environment))
  }

  /** The gateway opens and migrates its database at once, and listens after the message that the web app is built. */
  startGateway(): void {
    const child = this.#watch(startChild('gateway', files.gateway, this.#environment))
    this.#gateway = child
    child.process.on('message', (message: Message) => {
      if (message.type === 'checked' && this.#environment.NODE_ENV !== 'production' && !this.#simulator)
        this.startSimulator()
      if (message.type === 'ready') {
        this.#drainMs = message.drainMs
        void this.#announce(child, message.url)
      }
      if (message.type === 'fatal') console.error(message.message)
    })
  }

  async buildWeb(): Promise<void> {
    try {
      // The sources are read synchronously, so the processes that need no web app are started first.
      await nextTurn()
      // Otherwise the compression of an earlier build would write copies of files that this build replaces.
      this.#build?.cancel()
      const build = buildWeb((line) => console.log(line))
      this.#build = build
      await build.built
      build.done.catch((error: Error) => this.#onCompressionError(build, error))
    } catch (error) {
      if (this.#stopping) return
      console.error((error as Error).message)
      await this.stop(1)
    }
  }

  /** The gateway serves the files uncompressed. */
  #onCompressionError(build: WebBuild, error: Error): void {
    if (!this.#stopping && build === this.#build) console.error(error.message)
  }

  #reportWebReady(): void {
    if (this.#gateway?.process.connected) this.#gateway.process.send({ type: 'web-ready' })
  }

  async restartGateway(): Promise<void> {
    await this.#dismiss(this.#gateway)
    if (this.#stopping) return
    this.startGateway()
    await this.buildWeb()
    this.#reportWebReady()
  }

  async restartSimulator(): Promise<void> {
    await this.#dismiss(this.#simulator)
    if (!this.#stopping) this.startSimulator()
  }

  stop(exitCode: number): Promise<void> {
    this.#stopping ??= this.#stop(exitCode)
    return this.#stopping
  }

  async #stop(exitCode: number): Promise<void> {
    if (this.#bannerShown && exitCode === 0) console.log('\n  Stopping: what is in flight is finished first')
    this.#build?.cancel()
    await this.#dismiss(this.#preparing)
    const ending = await this.#dismiss(this.#gateway)
    const inOrder = !ending || ending.code === 0
    if (!inOrder) await this.#stopOrphanedServer()
    await this.#dismiss(this.#simulator)
    if (!inOrder && exitCode === 0) console.error(`The gateway did not stop in order (${inWords(ending)}).`)
    process.exit(inOrder ? exitCode : 1)
  }

  async #stopOrphanedServer(): Promise<void> {
    if (this.#environment.DATABASE_URL) return
    // Refused when another gateway runs on this data directory, because the database belongs to that gateway.
    await stopOrphanedServer(this.#dataDir).catch(() => {})
  }

  async #dismiss(child: Child | undefined): Promise<Ending | undefined> {
    if (!child) return undefined
    this.#dismissed.add(child)
    return child.stop(child === this.#gateway ? deadlineMs + this.#drainMs : deadlineMs)
  }

  #watch(child: Child): Child {
    void child.ended.then((ending) => {
      if (this.#dismissed.has(child)) return
      // A process that exits before it is ready has already printed the reason in one line.
      if (this.#bannerShown)
        console.error(`The ${child.name} ended by itself (${inWords(ending)}); stopping the rest.`)
      void this.stop(1)
    })
    return child
  }

  async #announce(gateway: Child, url: string): Promise<void> {
    const giveUpAt = performance.now() + readyTimeoutMs
    while (gateway === this.#gateway && !this.#stopping) {
      if (await isReady(url)) return this.#welcome(url)
      if (performance.now() > giveUpAt) {
        console.error(`The gateway listens but does not become ready: see ${url}/readyz`)
        return this.stop(1)
      }
      await sleep(25)
    }
  }

  async #welcome(url: string): Promise<void> {
    if (this.#bannerShown) {
      console.log('  The gateway runs again')
      return
    }
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1)
    this.#bannerShown = true
    console.log(
      banner({
        url,
        development: this.#simulator !== undefined,
        dataDir: this.#dataDir,
        ownDatabase: Boolean(this.#environment.DATABASE_URL),
        seconds,
        more: this.#rows,
      }),
    )
  }

  /** Undefined without a result. */
  async #prepare(): Promise<Prepared['rows'] | undefined> {
    if (!this.#preparation) return []
    const { name, file } = this.#preparation
    const child = startChild(name, file, this.#environment)
    this.#preparing = child
    let prepared: Prepared | undefined
    child.process.on('message', (message: Prepared) => {
      prepared = message
    })
    await child.ended
    if (this.#stopping) return undefined
    if (!prepared) {
      // The process has already printed the reason in one line.
      await this.stop(1)
      return undefined
    }
    return prepared.rows
  }

  get #dataDir(): string {
    return path.resolve(this.#environment.MURIPO_DATA?.trim() || 'data')
  }
}
