import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashingAnswer, HashingTask } from './hashing.ts'

// On Linux the priority is a thread's own; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', (task: HashingTask) => parentPort?.postMessage(answer(task)))

function answer({ password, secret, ...task }: HashingTask): HashingAnswer {
  try {
    return {
      value:
        'against' in task
          ? verifySync(task.against, password, { secret })
          : hashSync(password, { ...task.cost, secret }),
    }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}
