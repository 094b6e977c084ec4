import type { GatewayProcess } from '@muripo/rig/gateway'

export interface Lag {
  readonly task: string
  readonly seconds: number
  readonly member: string
}

interface Counts {
  readonly outcomes: number
  readonly deliveries: number
}

const sample = /^(\w+)\{(.*)\} (\S+)$/gm

/** The newest metrics of each process; a process that has exited keeps its last ones. */
export class MemberReadings {
  longestLag: Lag = { task: '', seconds: 0, member: '' }
  private readonly counts = new Map<string, Counts>()

  countsOf(member: string): Counts {
    return this.counts.get(member) ?? { outcomes: 0, deliveries: 0 }
  }

  async read(member: GatewayProcess): Promise<void> {
    const text = await member.metrics()
    const samples = [...text.matchAll(sample)].map(([, name = '', labels = '', value = '']) => ({
      name,
      labels,
      value: Number(value),
    }))
    const sum = (name: string) =>
      samples.filter((each) => each.name === name).reduce((total, { value }) => total + value, 0)
    this.counts.set(member.name, {
      outcomes: sum('muripo_payments_total'),
      deliveries: sum('muripo_webhook_attempts_total'),
    })
    for (const { name, labels, value: seconds } of samples)
      if (name === 'muripo_task_lag_seconds' && seconds > this.longestLag.seconds)
        this.longestLag = { task: /task="([^"]*)"/.exec(labels)?.[1] ?? labels, seconds, member: member.name }
  }
}
