import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Providers } from '../src/modules/providers/registry.ts'
import { makeApp } from './app.ts'
import { type Simulator, startSimulator } from './simulator.ts'
import { makeWorld, type World, type WorldCtx } from './world.ts'

export interface ListeningWorld {
  readonly simulator: Simulator
  readonly world: World
  readonly ctx: WorldCtx
  readonly app: FastifyInstance
  close(): Promise<void>
}

/** A world and the providers' simulator, whose callbacks reach the world's app at its own port. */
export async function listeningWorld(
  providersOf: (simulator: Simulator, world: World) => Providers,
): Promise<ListeningWorld> {
  const simulator = await startSimulator()
  const world = await makeWorld()
  const config = { ...world.ctx.config }
  const ctx = { ...world.ctx, config, providers: providersOf(simulator, world) }
  const app = await makeApp(ctx)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  Object.assign(config, { publicUrl: `http://127.0.0.1:${port}` })
  return {
    simulator,
    world,
    ctx,
    app,
    async close() {
      await app.close()
      await ctx.backgroundTasks.drain()
      await ctx.close()
      await simulator.stop()
    },
  }
}
