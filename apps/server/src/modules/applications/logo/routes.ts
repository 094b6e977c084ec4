import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { admitPerAddressInMemory } from '../../../platform/limits/admit.ts'
import type { Limit } from '../../../platform/limits/limits.ts'
import { findLogo } from '../store-brands.ts'

/** A mobile network may have one address for all its subscribers: a thousand payers open the page in ten seconds. */
const LOGOS: Limit = { name: 'logos', quota: 3000, windowMs: 10_000 }

/** Serves the logos of shops. A logo that is opened as a page of its own has no rights there. */
export function mountLogos(app: FastifyInstance, ctx: Pick<Ctx, 'config' | 'clock' | 'reads'>): void {
  app.get<{ Params: { hash: string } }>(
    '/logos/:hash',
    { onRequest: admitPerAddressInMemory(ctx, LOGOS) },
    async ({ params: { hash } }, reply) => {
      const logo = /^[0-9a-f]{32}$/.test(hash) ? await findLogo(ctx.reads.kysely, hash) : null
      if (logo === null) throw new AppError('not_found')
      return reply
        .type(logo.type)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(logo.content)
    },
  )
}
