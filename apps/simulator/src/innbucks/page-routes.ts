import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { sendPage } from '../page/frame.ts'
import { Problem } from '../problem.ts'
import type { Codes } from './codes.ts'
import { codePage, codesPage } from './page.ts'

const Query = z.object({ code: z.string().max(40).optional() })
const Answer = z.object({ answer: z.enum(['approve', 'decline']) })

/** The app of a payer as a page: it takes any payer's code, and needs no account. */
export function codePageRoutes({ codes }: { codes: Codes }) {
  const waiting = () =>
    codes
      .all()
      .filter(({ state }) => state === 'New')
      .slice(-20)
      .reverse()
  const read = (text: string) => codes.get(text.replaceAll(/[\s-]/g, ''))

  return async (app: FastifyInstance): Promise<void> => {
    app.get('/', async (request, reply) => {
      const { code: typed = '' } = Query.parse(request.query)
      if (typed.trim() === '') return sendPage(reply, codesPage(waiting()))
      const code = read(typed)
      if (code !== null) return sendPage(reply, codePage(code))
      return sendPage(reply.code(422), codesPage(waiting(), typed, 'There is no such code'))
    })

    app.post('/', async (request, reply) => {
      const code = read(Query.parse(request.query).code ?? '')
      if (code === null) throw new Problem(404, 'There is no such code')
      const { answer } = Answer.parse(request.body)
      const isTaken = codes.answer(code, answer)
      const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
      // A code that has ended meanwhile is not the payer's error: the page shows its state.
      if (isForm) return reply.redirect(`/innbucks/app?code=${code.code}`, 303)
      if (!isTaken) throw new Problem(409, 'This code no longer waits')
      return { code: code.code, state: code.state }
    })
  }
}
