import { setTimeout as sleep } from 'node:timers/promises'
import { chanceOf } from '@muripo/rig/chance'
import { defineScenario } from '../lib/scenario.ts'
import { startSystem, stopSystem } from '../lib/system.ts'

const victims = ['gateway', 'gateway', 'postgres', 'both'] as const

export const drill = defineScenario({
  name: 'crash',
  describe: 'kills the gateway and its database at random moments under load, and compares all records',
  usage: `npm run crash -- [--kills N] [--seed N] [--only gateway|postgres] [--customers N]

Kills the gateway and its database with SIGKILL at random moments under load. After each start and at the end, compares the
responses that clients received, the rows of the database, the records of the providers and the delivered events.

  --kills N      number of kills (50)
  --seed N       another run; the same number gives the same moments (1)
  --only WHICH   kill the gateway only, or PostgreSQL only
  --customers N  customers who order at the same time (6)`,
  options: { kills: 50, seed: 1, customers: 6, only: ['', 'gateway', 'postgres'] },

  async prepare(directory, options) {
    const sources = await startSystem(directory, options)
    const { gateway } = sources
    const kills = { gateway: 0, postgres: 0, both: 0 }
    return { sources, gateway, kills, longestToReadyMs: 0, stop: () => stopSystem(sources) }
  },

  *faults(world, { kills: most, seed, only }) {
    const { gateway, kills } = world
    const chance = chanceOf(seed)
    const kill = async () => {
      const victim = only || (victims[Math.floor(chance.next() * victims.length)] ?? 'both')
      while (!gateway.kill(victim)) await sleep(10)
      kills[victim] += 1
    }
    const killed = () => kills.gateway + kills.postgres + kills.both
    while (killed() < most)
      yield {
        name: `kills from ${killed() + 1}`,
        async inject() {
          await sleep(chance.gapMs(1000, 300, 3000))
          const since = performance.now()
          // A kill during the start is a kill during recovery.
          for (let again = true; again && killed() < most; again = chance.percent(20)) {
            await kill()
            await sleep(chance.gapMs(300, 0, 1000))
          }
          await gateway.ready()
          const toReadyMs = performance.now() - since
          world.longestToReadyMs = Math.max(world.longestToReadyMs, toReadyMs)
          return `ready after ${(toReadyMs / 1000).toFixed(1)} s`
        },
      }
  },

  report: ({ gateway, kills, longestToReadyMs }, { traffic, findings }) => ({
    figures: [
      ['kills', `${kills.gateway} gateway, ${kills.postgres} PostgreSQL, ${kills.both} both`],
      ['acknowledged payments', traffic.payments],
      ['paid', traffic.paid],
      ['acknowledged refunds', traffic.refunds],
      ['cancelled', traffic.cancelled],
      [
        'events delivered',
        `${traffic.deliveries}, and ${traffic.deliveredAgain} times again under the same id`,
      ],
      ...findings,
      ['longest until ready again', `${(longestToReadyMs / 1000).toFixed(1)} s`],
      ['starts that failed', gateway.failedStarts],
    ],
  }),
})
