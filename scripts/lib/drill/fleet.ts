import { type EmbeddedPostgres, startEmbeddedPostgres } from '@muripo/embedded-postgres/embedded-postgres'
import pg from 'pg'
import { isError, launch, type Member, type Role } from './member.ts'
import { type Router, startRouter } from './router.ts'
import { type Inspected, openShopAt, openSurroundings } from './scene.ts'

/** Processes of the gateway on one database behind a router, with a provider, a receiver and customers. */
export interface Fleet extends Inspected {
  readonly router: Router
  readonly members: readonly Member[]
  /** Members that serve are known to the router. */
  start(name: string, role: Role, tree: string): Promise<Member>
  /** The customers begin, at a member that is ready. */
  /** @param captures whether some orders are captured by the shop */
  openShop(captures?: boolean): Promise<void>
  /** Error lines in the logs of all members, by message. */
  errorsLogged(): ReadonlyMap<string, number>
  close(): Promise<void>
}

export interface FleetOptions {
  readonly seed: number
  readonly customers: number
  /** Processes that run at the same time. */
  readonly processes: number
  readonly drainSeconds: number
}

/** As docs/operate.md demands for each process and for operators. */
const CONNECTIONS_OF_A_PROCESS = 40
const OTHER_CONNECTIONS = 10

export async function openFleet(directory: string, options: FleetOptions): Promise<Fleet> {
  const database = await startDatabase(
    directory,
    options.processes * CONNECTIONS_OF_A_PROCESS + OTHER_CONNECTIONS,
  )
  const { wallet, receiver, environment: providers } = await openSurroundings(options.seed)
  const router = await startRouter()
  const members: Member[] = []
  const environment = {
    ...providers,
    PUBLIC_URL: router.url,
    DATABASE_URL: database.servingUrl,
    MIGRATE_DATABASE_URL: database.url,
    DRAIN_SECONDS: String(options.drainSeconds),
  }
  let shop: Inspected['shop'] | undefined

  return {
    router,
    members,
    wallet,
    receiver,
    watched: { databaseUrl: () => database.url },
    get shop() {
      if (!shop) throw new Error('The customers have not begun')
      return shop
    },
    async start(name, role, tree) {
      const member = await launch({ name, role, tree }, directory, environment)
      members.push(member)
      if (role !== 'worker') router.add(member)
      return member
    },
    async openShop(captures = true) {
      shop = await openShopAt(router.url, receiver, { ...options, captures })
    },
    errorsLogged() {
      const messages = members.flatMap((member) => member.logged().filter(isError))
      return new Map([...Map.groupBy(messages, ({ msg }) => msg)].map(([msg, lines]) => [msg, lines.length]))
    },
    async close() {
      void shop?.close()
      // A stopped process handles no signal but this one.
      for (const member of members) if (member.isRunning()) member.signal('SIGCONT')
      await Promise.all(members.filter((member) => member.isRunning()).map((member) => member.stop()))
      await router.close()
      await wallet.close()
      await receiver.close()
      await database.stop()
    },
  }
}

/** PostgreSQL reads the number of connections at its start only. */
async function startDatabase(dataDir: string, connections: number): Promise<EmbeddedPostgres> {
  const start = () => startEmbeddedPostgres({ dataDir, log: () => undefined })
  const first = await start()
  const client = new pg.Client({ connectionString: first.url })
  await client.connect()
  await client.query(`alter system set max_connections = ${connections}`)
  await client.end()
  await first.stop()
  return start()
}
