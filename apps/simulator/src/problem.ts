import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { ZodError } from 'zod'

/** A refusal with its reason, as application/problem+json. */
export class Problem extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const send = (reply: FastifyReply, status: number, detail: string): FastifyReply =>
  reply.code(status).type('application/problem+json').send({ type: 'about:blank', status, detail })

export function answerProblems(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => send(reply, 404, 'There is nothing here'))
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof Problem) return send(reply, error.status, error.message)
    if (error instanceof ZodError) {
      const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
      return send(reply, 422, problems.join('; '))
    }
    const status = error.statusCode ?? 500
    if (status >= 500) request.log.error(error)
    return send(reply, status, status < 500 ? error.message : 'Something went wrong in the simulator')
  })
}
