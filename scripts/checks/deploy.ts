import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from '../lib/repository.ts'

export const deploy = path.join(repository, 'deploy')
export const read = (file: string) => readFileSync(path.join(deploy, file), 'utf8')

/** The time that a stopping process needs at most: `DRAIN_SECONDS` of production, and the deadline of its stop. */
export const STOP_SECONDS = 10 + 25

export const run = (program: string, ...args: string[]) => spawnSync(program, args, { encoding: 'utf8' })
export const isInstalled = (program: string) => run(program, '--version').status === 0
