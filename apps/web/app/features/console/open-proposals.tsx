import { grid } from '../../components/ui/classes.ts'
import { ProposalPanel } from './decisions/proposal-panel.tsx'
import { useOpenProposals } from './operation-queries.ts'

/** The open proposals whose subjects are on this page. */
export function OpenProposals({ kinds }: { readonly kinds: readonly string[] }) {
  const { data: proposals = [] } = useOpenProposals(...kinds)
  return (
    proposals.length > 0 && (
      <div className={grid('gap24', 'below24')}>
        {proposals.map((proposal) => (
          <ProposalPanel key={proposal.id} proposal={proposal} />
        ))}
      </div>
    )
  )
}
