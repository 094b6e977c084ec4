import { describe, expect, test } from 'vitest'
import { identityServer } from '../../../../../test/identity-server.ts'
import { makeMerchant } from '../../factory.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const { ctx, app } = await identityServer({ PASSWORD_MEMORY_MIB: '19', RATE_LIMITS: '1000000' })

describe('the time of a refused sign-in', { timeout: 60_000 }, () => {
  /** The times of both, measured alternately, so that other load of the machine affects both. */
  async function times(emails: readonly [string, string], rounds: number): Promise<[number[], number[]]> {
    const of: [number[], number[]] = [[], []]
    for (let round = -5; round < rounds; round += 1) {
      for (const place of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        // No attempt waits: earlier failures are cleared.
        ctx.clock.advance(DAY_MS + 1)
        const payload = { email: emails[place], password: 'wrong horse battery' }
        const start = performance.now()
        const { statusCode } = await app.inject({ method: 'POST', url: '/v1/auth/signin', payload })
        expect(statusCode).toBe(401)
        if (round >= 0) of[place].push(performance.now() - start)
      }
    }
    return of
  }

  test('has the same distribution for an unknown email and for a wrong password', async () => {
    const { email } = await makeMerchant(ctx)
    alike(await times([email, 'nobody@example.com'], 50))
  })
})

function alike([wrong, unknown]: [number[], number[]]): void {
  expect(median([...wrong, ...unknown])).toBeGreaterThan(4)
  // For equal distributions, one in sixteen thousand pairs of samples differs more.
  expect(Math.abs(rankDifference(wrong, unknown))).toBeLessThan(4)
}

const median = (samples: readonly number[]): number =>
  samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0

/** The Mann-Whitney test: by how many standard deviations the ranks differ from those of equal distributions. */
function rankDifference(one: readonly number[], other: readonly number[]): number {
  const above = one
    .flatMap((a) => other.map((b) => (1 + Math.sign(a - b)) / 2))
    .reduce((sum, each) => sum + each, 0)
  const [n, m] = [one.length, other.length]
  return (above - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
}
