import { pageMeta } from '../../../lib/page-meta.ts'
import { Prose } from './prose.tsx'
import { StatusBoard } from './status-board.tsx'

export const meta = pageMeta({
  title: 'Status · Muripo',
  description:
    'Whether the API, the worker, the database and the payment providers of this gateway are up right now.',
})

export default function Status() {
  return (
    <Prose title="Status" sentence="How this gateway and the providers behind it are doing right now.">
      <StatusBoard />
      <h2>What is looked at</h2>
      <ul>
        <li>
          <b>API:</b> it answers, which is how this page knows.
        </li>
        <li>
          <b>Worker:</b> it takes up what is due, such as the look-up of a pending payment.
        </li>
        <li>
          <b>Database:</b> it can be written to.
        </li>
        <li>
          <b>Providers:</b> how their latest calls went. When one is down, its payments stay pending, and
          nothing is lost.
        </li>
      </ul>
    </Prose>
  )
}
