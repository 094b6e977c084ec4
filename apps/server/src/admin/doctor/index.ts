import type { Command } from '../command.ts'
import { codeOf, examine, linesOf } from './doctor.ts'

export const doctorCommands: readonly Command[] = [
  {
    words: 'doctor',
    flags: ['json'],
    does: 'examine configuration, database, clock, mail, providers, disk, backups and certificate; exit code 0 ok, 1 with a warning, 2 with an error',
    async runOffline(env, { flags }) {
      const findings = await examine(env)
      const code = codeOf(findings)
      return {
        code,
        output: flags.has('json') ? JSON.stringify({ code, findings }, null, 2) : linesOf(findings),
      }
    },
  },
]
