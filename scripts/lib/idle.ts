import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

const SAMPLE_MS = 2000

/** The share of processor time that all programs of the machine use while this one waits, between 0 and 1. */
export async function busyShare(sampleMs = SAMPLE_MS): Promise<number> {
  const before = totals()
  await pause(sampleMs)
  const after = totals()
  const all = after.all - before.all
  return all === 0 ? 0 : 1 - (after.idle - before.idle) / all
}

function totals(): { all: number; idle: number } {
  const times = cpus().map((cpu) => cpu.times)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return {
    all: sum(times.map(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq)),
    idle: sum(times.map(({ idle }) => idle)),
  }
}
