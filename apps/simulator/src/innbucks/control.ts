import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Problem } from '../problem.ts'
import { Times, type Upcoming } from '../upcoming.ts'
import type { Access } from './accounts.ts'
import { CodeBehaviour } from './behaviour.ts'
import type { Codes } from './codes.ts'

const Next = z.strictObject({
  code: z.string().optional(),
  times: Times,
  behaviour: CodeBehaviour,
})

interface ControlDeps {
  readonly access: Access
  readonly codes: Codes
  readonly upcoming: Upcoming<CodeBehaviour>
}

/** Controls that no real provider has: tests order misbehaviour and read the provider's records. */
export function codeControlRoutes({ access, codes, upcoming }: ControlDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.post('/next', async (request, reply) => {
      const { code: digits, times, behaviour } = Next.parse(request.body)
      if (digits === undefined) upcoming.order(behaviour, times)
      else {
        const code = codes.get(digits)
        if (code === null) throw new Problem(404, 'There is no such code')
        codes.adjust(code, behaviour)
      }
      return reply.code(204).send()
    })

    app.delete('/next', async (_request, reply) => {
      upcoming.clear()
      return reply.code(204).send()
    })

    /** Every token becomes invalid before its time. */
    app.delete('/tokens', async (_request, reply) => {
      access.revokeAll()
      return reply.code(204).send()
    })

    app.get('/codes', async () => ({
      codes: codes.all().map((code) => ({
        ...code,
        createdAt: new Date(code.createdAt).toISOString(),
        expiresAt: new Date(code.expiresAt).toISOString(),
      })),
    }))
  }
}
