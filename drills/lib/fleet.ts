import { startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import { alterSystem } from '../../scripts/lib/postgres.ts'
import { databaseAt } from './database.ts'
import { type Member, type Role, startMember } from './member.ts'
import { Router } from './router.ts'
import { openShopAt, type RecordSources, startExternalServers } from './system.ts'

/** Several processes of the gateway on one database behind a router, with a provider, a receiver and customers. */
export interface Fleet extends RecordSources {
  readonly router: Router
  readonly members: readonly Member[]
  readonly databaseUrl: string
  /** Starts a process, which the router knows when it serves the API. */
  start(name: string, role: Role, tree: string): Promise<Member>
  /**
   * Lets the customers begin, at a member that is ready.
   * @param captures whether the shop captures some orders
   */
  openShop(captures?: boolean): Promise<void>
  close(): Promise<void>
}

interface FleetOptions {
  readonly seed: number
  readonly customers: number
  /** Processes that run at the same time. */
  readonly processes: number
}

/** The numbers that docs/operate.md demands for each process and for operators. */
const CONNECTIONS_OF_A_PROCESS = 40
const OTHER_CONNECTIONS = 10
const DRAIN_SECONDS = 2

export async function openFleet(directory: string, options: FleetOptions): Promise<Fleet> {
  const connections = options.processes * CONNECTIONS_OF_A_PROCESS + OTHER_CONNECTIONS
  await alterSystem(directory, { max_connections: connections })
  const server = await startEmbeddedPostgres({ dataDir: directory, log: () => undefined })
  const { wallet, receiver, environment: providers } = await startExternalServers(options.seed)
  const router = await Router.start()
  const members: Member[] = []
  const environment = {
    ...providers,
    PUBLIC_URL: router.url,
    DATABASE_URL: server.servingUrl,
    MIGRATE_DATABASE_URL: server.url,
    DRAIN_SECONDS: String(DRAIN_SECONDS),
  }
  let shop: RecordSources['shop'] | undefined

  return {
    router,
    members,
    wallet,
    receiver,
    databaseUrl: server.url,
    database: databaseAt(() => server.url),
    get shop() {
      if (!shop) throw new Error('The customers have not begun')
      return shop
    },
    async start(name, role, tree) {
      const member = await startMember({ name, role, tree }, directory, environment)
      members.push(member)
      if (role !== 'worker') router.add(member)
      return member
    },
    async openShop(captures = true) {
      shop = await openShopAt(router.url, receiver, { ...options, captures })
    },
    async close() {
      void shop?.close()
      const running = members.filter((member) => member.isRunning())
      // A process that SIGSTOP has frozen handles no other signal before SIGCONT.
      for (const member of running) member.signal('SIGCONT')
      await Promise.all(running.map((member) => member.stop()))
      await router.close()
      await wallet.close()
      await receiver.close()
      await server.stop()
    },
  }
}
